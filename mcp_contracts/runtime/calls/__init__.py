"""How a call is handled: validated, run within its deadline, and answered."""
