"""Checks a live server against its contracts: its lists and its responses."""
