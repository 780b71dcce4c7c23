"""The configuration of a project: found, read, checked, and asked."""

from mcp_contracts.config.model import Config, ConfiguredSuppression, DiffOptions, Limits, Override, layered
from mcp_contracts.config.reading import load_config

__all__ = ["Config", "ConfiguredSuppression", "DiffOptions", "Limits", "Override", "layered", "load_config"]
