"""Rules about schemas."""
