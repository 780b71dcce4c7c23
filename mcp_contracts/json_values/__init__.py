"""JSON values in Python: which of them JSON has, how text is read strictly, and pointers into a value."""
