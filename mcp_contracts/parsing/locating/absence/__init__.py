"""Text that says that a file has no tools, or that its functions are not tools."""
