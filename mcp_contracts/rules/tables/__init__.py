"""Rules about parameter tables: their cells, and their agreement with the schemas."""
