"""MC8: rules that check a live server against its contracts; `verify` runs them."""
