// Product covers as browsers fetch them.
import { expect, test } from "vitest";
import { AppError } from "../../proto/codes.ts";
import { drawCover } from "../../runtime/covers/cover-art.ts";
import { sharedByTests } from "../support/shared.ts";
import { knowProduct } from "./fake-catalog.ts";
import { type Gateway, serveGateway } from "./serve-gateway.ts";

const HARBOUR = {
  slug: "harbour-icons",
  name: "Harbour <Icons>",
  category: "icons",
  subcategory: "line-icons",
};

const gateway = sharedByTests(() => serveGateway());

const get: Gateway["get"] = (...how) => gateway.get(...how);

const know = (product: typeof HARBOUR | undefined) => knowProduct(gateway, product);

test("a cover is its product's drawing, cached for a day, with a CSP that allows nothing", async () => {
  know(HARBOUR);
  const { status, headers, body } = await get("/covers/harbour-icons.svg");
  expect(status).toBe(200);
  expect(body.toString()).toBe(drawCover(HARBOUR));
  expect(headers).toMatchObject({
    "content-type": "image/svg+xml",
    "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
    "cache-control": "public, max-age=86400, stale-while-revalidate=604800",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "cross-origin",
  });
  const head = await get("/covers/harbour-icons.svg", {}, "HEAD");
  expect([head.status, head.body.length, head.headers.etag]).toEqual([200, 0, headers.etag]);
});

test("a cover's ETag is the same until the drawing changes", async () => {
  know(HARBOUR);
  const { etag = "" } = (await get("/covers/harbour-icons.svg")).headers;
  const ask = () => get("/covers/harbour-icons.svg", { "if-none-match": etag });
  expect((await ask()).status).toBe(304);
  know({ ...HARBOUR, name: "Harbour Glyphs" });
  expect((await ask()).status).toBe(200);
  know(undefined);
  expect((await ask()).status).toBe(404);
});

test.each(["/covers/draft-kit.svg", "/covers/%E2%98%83.svg", `/covers/${"x".repeat(120)}.svg`])(
  "%s is refused with the error of the product's detail",
  async (path) => {
    know(HARBOUR);
    const plain = async (address: string) => {
      const { status, headers, body } = await get(address, { "x-request-id": "same" });
      const { ratelimit: _a, "ratelimit-policy": _b, date: _c, ...others } = headers;
      return { status, headers: others, body: body.toString() };
    };
    const refused = await plain(path);
    expect(refused.status).toBe(404);
    expect(refused).toEqual(await plain("/api/catalog/no-such"));
  },
);

test("a cover without core is catalog_unavailable", async () => {
  gateway.fail("catalog.GetProduct", () => new AppError("service_unavailable", { retryAfterSeconds: 2 }));
  const { status, headers, body } = await get("/covers/harbour-icons.svg");
  expect([status, headers["retry-after"]]).toEqual([500, "2"]);
  expect(JSON.parse(body.toString())).toMatchObject({ code: "catalog_unavailable" });
});
