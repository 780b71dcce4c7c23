"""The configuration of a project: find, read, check and query it."""

from mcp_contracts.config.model import Config, ConfiguredSuppression, DiffOptions, Limits, Override, combine_selections
from mcp_contracts.config.reading import load_config

__all__ = ["Config", "ConfiguredSuppression", "DiffOptions", "Limits", "Override", "combine_selections", "load_config"]
