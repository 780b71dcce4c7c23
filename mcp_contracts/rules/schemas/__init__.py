"""Rules about schemas and the tables beside them."""
