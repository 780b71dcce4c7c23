"""Runs contracts: the registry, how calls are handled, and their observation and limits."""
