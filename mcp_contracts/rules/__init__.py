"""The lint rules, one module for each topic, and the engine that runs them."""
