// The measurement's three tools for the servers in node, the service's and those of the TypeScript SDK: Redis and an HTTP service, called
// in parallel where independent.
import { Redis } from "ioredis";
import { Pool } from "undici";
import { z } from "zod";
import { defineTool, type Tool } from "../../mcp/protocol/tool.ts";

const annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};
const userId = z.string();
const items = z.array(z.object({ product_id: z.int(), quantity: z.int() }));
type Product = { id: number };

export function createShopTools(apiPort: number, redisPort: number): Tool[] {
  const api = new Pool(`http://127.0.0.1:${apiPort}`, { connections: 64 });
  const redis = new Redis({ port: redisPort, enableAutoPipelining: true });
  const ask = async <T>(path: string, body?: object): Promise<T> => {
    const sent = body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const answer = await api.request({ path, method: body ? "POST" : "GET", ...sent });
    return (await answer.body.json()) as T;
  };
  const tool = <Input extends z.ZodType>(
    name: string,
    description: string,
    input: Input,
    handle: (args: z.output<Input>) => Promise<object>,
  ): Tool =>
    defineTool({
      name,
      title: name,
      endpoints: [],
      description,
      annotations,
      input,
      output: z.object({}),
      handle: async (args) => ({ text: JSON.stringify(await handle(args)), structured: {} }),
    });
  return [
    tool(
      "search_products",
      "Searches products.",
      z.object({ category: z.string(), min_price: z.number(), max_price: z.number(), limit: z.int() }),
      async ({ category, min_price, max_price, limit }) => {
        const path = `/products/search?category=${category}&min_price=${min_price}&max_price=${max_price}&limit=${limit}`;
        const [found, popular] = await Promise.all([
          ask<{ total_found: number; products: Product[] }>(path),
          redis.zrevrange("bench:popular", 0, 9),
        ]);
        const rankOf = ({ id }: Product) => popular.indexOf(`product:${id}`) + 1;
        const products = found.products.map((one) => ({ ...one, popularity_rank: rankOf(one) }));
        return { category, total_found: found.total_found, products, top10_popular_ids: popular };
      },
    ),
    tool("get_user_cart", "Reads a cart.", z.object({ user_id: userId }), async ({ user_id }) => {
      const held = items.parse(JSON.parse((await redis.hgetall(`bench:cart:${user_id}`))["items"] ?? ""));
      const [first, history] = await Promise.all([
        ask<Product>(`/products/${held[0]?.product_id}`),
        redis.lrange(`bench:history:${user_id}`, 0, 4),
      ]);
      return { user_id, recent_history: history, cart: { items: held, item_count: held.length, first } };
    }),
    tool("checkout", "Orders items.", z.object({ user_id: userId, items }), async (order) => {
      const pipe = redis.pipeline().incr(`bench:ratelimit:${order.user_id}`);
      pipe.rpush(`bench:history:${order.user_id}`, JSON.stringify(order.items));
      for (const { product_id } of order.items) pipe.zincrby("bench:popular", 1, `product:${product_id}`);
      const [sum, counted] = await Promise.all([
        ask<{ total: number }>("/cart/calculate", order),
        pipe.exec(),
      ]);
      return {
        order_id: `order-${order.user_id}`,
        user_id: order.user_id,
        total: sum.total,
        items_count: order.items.length,
        rate_limit_count: counted?.[0]?.[1],
        status: "confirmed",
      };
    }),
  ];
}
