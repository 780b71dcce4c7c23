"""The commands, one module each; `front_page.COMMANDS` lists them."""
