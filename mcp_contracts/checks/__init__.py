"""What combines sources, rules and configuration: lint."""
