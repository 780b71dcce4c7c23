from mcp_contracts import ToolRegistry, load

registry = ToolRegistry(load("tools.json"))


@registry.implement("notes.find")
async def find(word: str, limit: int = 20) -> list[str]:
    return await titles(word, limit)
