"""Parameters as people write them: tables, bullets, signatures, types."""
