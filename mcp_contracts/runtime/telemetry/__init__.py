"""The observation of calls: events, traces and the audit log, without secrets."""
