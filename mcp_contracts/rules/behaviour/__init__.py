"""Rules about what a tool says of its calls: examples, errors, effects, descriptions."""
