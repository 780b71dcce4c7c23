"""Which tools a specification has, and where each of them begins."""
