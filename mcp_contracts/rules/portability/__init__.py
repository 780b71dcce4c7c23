"""Rules about what providers and clients reject."""
