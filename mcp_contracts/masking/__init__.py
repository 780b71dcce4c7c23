"""Mask secrets: their forms, and the mask for everything that is reported."""
