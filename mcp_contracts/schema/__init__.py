"""What a JSON Schema is: its keywords, references, validators and limits."""
