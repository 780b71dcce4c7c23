"""Provider limits as data with their sources, and names and schemas fitted to them."""
