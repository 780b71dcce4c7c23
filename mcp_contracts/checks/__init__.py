"""Lint, diff and export: everything that combines sources, rules and configuration."""
