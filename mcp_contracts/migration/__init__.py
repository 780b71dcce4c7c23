"""Tools in older dialects, rewritten in the canonical form with everything that their authors wrote."""
