"""Tools in the dialects that are older than the format."""
