"""Contracts that run: the registry, the way of a call, and what watches and limits it."""
