"""Rules about what providers and clients refuse."""
