"""The shared part of `serve` and `mock`: their options, and how they run a server."""
