"""Decides whether one schema accepts everything that another one accepts."""
