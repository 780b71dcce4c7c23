"""Adapters: convert contracts and messages to the forms of MCP, OpenAI, Anthropic, Gemini and prompts, and back."""
