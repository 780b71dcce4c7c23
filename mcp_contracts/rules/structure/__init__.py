"""MC1: names, sections and the lines below a heading."""
