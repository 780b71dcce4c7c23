"""The table of `make bench`: our commands, their floors and their peers, measured in one run."""
