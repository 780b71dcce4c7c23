"""MC8: rules that hold a live server to its contracts; `verify` runs them."""
