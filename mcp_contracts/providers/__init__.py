"""Provider limits as data with their sources, and names and schemas adapted to them."""
