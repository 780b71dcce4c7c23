"""Reports for people and programs, one module for each format."""
