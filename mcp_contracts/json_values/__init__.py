"""JSON values in Python: which of them JSON has, and how text is read strictly."""
