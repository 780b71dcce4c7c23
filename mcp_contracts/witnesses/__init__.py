"""Values that prove a break: found, shrunk and confirmed by two validators."""
