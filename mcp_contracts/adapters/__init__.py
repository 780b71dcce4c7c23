"""Adapters: contracts and messages in the forms that MCP, OpenAI, Anthropic, Gemini and a prompt take, and back."""
