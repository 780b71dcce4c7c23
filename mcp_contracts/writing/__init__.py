"""Write specifications: fill in the template, or add a tool."""
