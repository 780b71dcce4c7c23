"""Checks of the proofs: the comparison of schemas against judges that share no code with it."""
