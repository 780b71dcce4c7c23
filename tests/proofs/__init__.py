"""Proofs of the proofs: what holds the comparison of schemas to judges that share no code with it."""
