"""Rules about parameter tables: their cells, and how they agree with the schemas."""
