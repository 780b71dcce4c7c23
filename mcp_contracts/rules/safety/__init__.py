"""Rules about text that harms its reader: secrets, hidden characters, poisoned descriptions."""
