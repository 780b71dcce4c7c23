"""What says that a file has no tools, or that its functions are none."""
