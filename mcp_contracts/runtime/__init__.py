"""Contracts that run: the registry, how a call is handled, and its observation and limits."""
