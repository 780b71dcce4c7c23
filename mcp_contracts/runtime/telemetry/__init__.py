"""What observers learn about calls: events, traces and the audit log, without secrets."""
