from mcp_contracts import ToolRegistry, load

registry = ToolRegistry(load("tools.json"))


@registry.implement("notes.find")
async def find(word: str, folder: str, limit: int = 20) -> dict[str, list[str]]:
    return {"titles": await titles(word, limit)}
