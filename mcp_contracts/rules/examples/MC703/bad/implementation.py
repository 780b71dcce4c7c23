async def find(word: str, limit: int = 20) -> dict[str, list[str]]:
    return {"titles": await titles(word, limit)}


async def archive(title: str) -> dict[str, str]:
    return {"title": await move(title, "archive")}
