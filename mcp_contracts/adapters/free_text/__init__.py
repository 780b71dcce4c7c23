"""Find tool calls in a model's free text."""
