"""How a call is handled: checked, run within its deadline, and answered."""
