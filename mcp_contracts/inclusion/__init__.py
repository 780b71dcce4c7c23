"""Decides whether everything that one schema accepts is accepted by another."""
