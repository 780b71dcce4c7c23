"""The lint rules, one module a topic, and the engine that runs them."""
