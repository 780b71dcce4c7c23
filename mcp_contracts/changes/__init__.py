"""Rules for changes between two versions of a contract, and the pairing of their tools."""
