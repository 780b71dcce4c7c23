"""Tools that are shown only by code: objects, registrations and signatures."""
