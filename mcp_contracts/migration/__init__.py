"""Tools in older dialects, converted to the canonical form with everything that their authors wrote."""
