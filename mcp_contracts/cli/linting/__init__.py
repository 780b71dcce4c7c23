"""A lint from the command line: how it runs, what it was known to find, what it fixes, and what it watches."""
