"""Where contracts come from: one grammar of sources, `load() -> Contracts`."""
