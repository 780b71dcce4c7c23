"""Holds a live server to its contracts: what it lists, and what it answers."""
