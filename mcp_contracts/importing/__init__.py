"""Contracts from any source, written as specifications and merged into those that people have edited."""
