"""The three tools of the measurement on FastMCP, without a key check."""

import asyncio
import json
import os

import httpx
import redis.asyncio as redis
import uvicorn
from fastmcp import FastMCP

api = httpx.AsyncClient(base_url=f"http://127.0.0.1:{os.environ['API_PORT']}")
cache = redis.Redis(port=int(os.environ["REDIS_PORT"]), decode_responses=True)
mcp = FastMCP("python")


@mcp.tool(output_schema=None)
async def search_products(category: str, min_price: float, max_price: float, limit: int) -> str:
    """Searches products."""
    params = {"category": category, "min_price": min_price, "max_price": max_price, "limit": limit}
    response, popular = await asyncio.gather(
        api.get("/products/search", params=params), cache.zrevrange("bench:popular", 0, 9)
    )
    found = response.json()
    ranks = {name: rank + 1 for rank, name in enumerate(popular)}
    products = [{**one, "popularity_rank": ranks.get(f"product:{one['id']}", 0)} for one in found["products"]]
    return json.dumps(
        {
            "category": category,
            "total_found": found["total_found"],
            "products": products,
            "top10_popular_ids": popular,
        }
    )


@mcp.tool(output_schema=None)
async def get_user_cart(user_id: str) -> str:
    """Reads a cart."""
    items = json.loads((await cache.hgetall(f"bench:cart:{user_id}"))["items"])
    response, history = await asyncio.gather(
        api.get(f"/products/{items[0]['product_id']}"), cache.lrange(f"bench:history:{user_id}", 0, 4)
    )
    cart = {"items": items, "item_count": len(items), "first": response.json()}
    return json.dumps({"user_id": user_id, "recent_history": history, "cart": cart})


@mcp.tool(output_schema=None)
async def checkout(user_id: str, items: list[dict[str, int]]) -> str:
    """Orders items."""
    pipe = cache.pipeline(transaction=False)
    pipe.incr(f"bench:ratelimit:{user_id}")
    pipe.rpush(f"bench:history:{user_id}", json.dumps(items))
    for one in items:
        pipe.zincrby("bench:popular", 1, f"product:{one['product_id']}")
    response, counts = await asyncio.gather(
        api.post("/cart/calculate", json={"user_id": user_id, "items": items}), pipe.execute()
    )
    return json.dumps(
        {
            "order_id": f"order-{user_id}",
            "user_id": user_id,
            "total": response.json()["total"],
            "items_count": len(items),
            "rate_limit_count": counts[0],
            "status": "confirmed",
        }
    )


app = mcp.http_app(path="/mcp", stateless_http=True, json_response=True)
uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="error")
