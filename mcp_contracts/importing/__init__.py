"""Contracts from any source, written as specifications and merged into edited ones."""
