"""A lint from the command line: its run, known findings, fixes, and watching."""
