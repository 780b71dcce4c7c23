"""The differences between two schemas: facts, and the edits that undo them."""
