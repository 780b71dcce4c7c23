"""JSON values as tokens of a grammar: strings, numbers, arrays and objects."""
