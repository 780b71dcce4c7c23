"""Masks secrets: their forms, and the mask for all reports."""
