"""The table of `make bench`: our commands beside their floors and their peers, in one run."""
