"""MC337, MC516 and MC517: what prose says, held against what a tool states."""
