"""Tools in the dialects that people wrote before there was a format."""
