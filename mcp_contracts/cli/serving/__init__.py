"""What `serve` and `mock` share: their options, and a server that is run as they say."""
