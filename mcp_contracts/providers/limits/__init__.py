"""Provider limits as data: one module for each provider, and the table of all."""
