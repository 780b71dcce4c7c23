"""What providers take and refuse, as data: one module a provider, and the table of all."""
