"""Rules about what a tool states about its calls: examples, errors, effects, descriptions."""
