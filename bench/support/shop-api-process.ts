// The HTTP backend of the shop's three tools: 100,000 products, as cheap as possible, so that the servers in front determine the result.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answerParent } from "./child.ts";

const PRODUCTS = 100_000;
const FOUND = 2_251;

function productOf(id: number): object {
  return {
    id,
    sku: `SKU-${id}`,
    name: `Product ${id}`,
    category: "Electronics",
    price: 50 + (id % 450),
    rating: 4,
  };
}

function answerTo(path: string, body: string): object {
  if (path.startsWith("/products/search"))
    return { total_found: FOUND, products: Array.from({ length: 10 }, (_, i) => productOf(i * 7)) };
  if (path.startsWith("/products/")) return productOf(Number(path.slice("/products/".length)) % PRODUCTS);
  const { items } = JSON.parse(body) as { items: { product_id: number; quantity: number }[] };
  return {
    total: items.reduce((sum, { product_id, quantity }) => sum + (50 + (product_id % 450)) * quantity, 0),
  };
}

const server = createServer((request, response) => {
  let body = "";
  request.on("data", (part: Buffer) => (body += part.toString()));
  request.on("end", () => {
    const text = JSON.stringify(answerTo(request.url ?? "", body));
    response.writeHead(200, { "content-type": "application/json", "content-length": text.length });
    response.end(text);
  });
});
server.listen(0, "127.0.0.1", () => answerParent(async () => (server.address() as AddressInfo).port));
