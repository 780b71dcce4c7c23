"""The parts of a prompt that describes tools to a model."""
