// The bytes of feeds: special characters in names, conditional requests, and that no feed is ever held whole.
import { once } from "node:events";
import { connect } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { AppError } from "../../proto/codes.ts";
import type { OfferedLicence } from "../../proto/types/atelier/v1/OfferedLicence.ts";
import type { ProductOffer } from "../../proto/types/atelier/v1/ProductOffer.ts";
import { sharedByTests } from "../support/shared.ts";
import {
  acpProductReading,
  googleItemReading,
  readGoogleText,
  readGoogleXml,
} from "../support/shopping/feed-readings.ts";
import { waitFor } from "../support/wait-for.ts";
import { type FakeCatalog, fakeCatalog } from "./fake-catalog.ts";
import { type Gateway, serveGateway } from "./serve-gateway.ts";

const FEEDS = ["/feeds/google.xml", "/feeds/google.tsv", "/feeds/acp/products.jsonl"];

let catalog: FakeCatalog;
const gateway = sharedByTests(() =>
  serveGateway({}, (fake) => {
    catalog = fakeCatalog(fake);
  }),
);
beforeEach(() => offersAre([offer({})]));

const STANDARD: OfferedLicence = { licence: "standard", price_cents: 4_900, list_price_cents: 4_900 };

function offer(
  product: Partial<NonNullable<ProductOffer["product"]>>,
  over: Partial<ProductOffer> = {},
): ProductOffer {
  return {
    product: {
      id: "5f0c1c1e-7a86-4a53-9d5c-2b6f6a1f0e11",
      name: "Harbour Icons",
      slug: "harbour-icons",
      status: "published",
      plus_only: false,
      tags: [],
      rating_count: 0,
      updated_at: "2026-01-30T15:20:00.000Z",
      url: "https://generate.example.com/products/harbour-icons",
      ...product,
    },
    licences: [STANDARD],
    category_name: "Icons",
    subcategory_name: "",
    ...over,
  };
}

function offersAre(offers: ProductOffer[], revision = "e.1", takes_payments = true): void {
  gateway.answer("catalog.ListOffers", async function* () {
    yield { revision, takes_payments, offers: [] };
    for (const one of offers) yield { revision, takes_payments, offers: [one] };
  });
}

const get: Gateway["get"] = (...how) => gateway.get(...how);
const textOf = async (path: string) => (await get(path)).body.toString();

describe("a product name with special characters", () => {
  const GARBAGE = [
    `<script>alert("1")</script> & ]]> <!-- %&amp;`,
    "tab\there, line\nthere, return\rthere, \"quotes\" and 'more'",
    "\u0001\u0008\u000b\u000c\u001f\u007f\u0085\u2028\u2029\ufffe\uffff end",
    "\ud800 alone \udfff",
    "الأيقونات ‮ 🧭 图標 é",
    '"',
    "</item></channel></rss>",
  ];

  test.each(GARBAGE)("keeps every feed well-formed: %j", async (name) => {
    offersAre([offer({ name, tagline: name }, { category_name: name, subcategory_name: name }), offer({})]);
    const [xml, tsv, jsonl] = await Promise.all(FEEDS.map(textOf));
    for (const items of [readGoogleXml(xml ?? ""), readGoogleText(tsv ?? "")]) {
      expect(items).toHaveLength(2);
      for (const item of items) googleItemReading.parse(item);
      expect(items[1]).toMatchObject({ title: "Harbour Icons" });
    }
    const lines = (jsonl ?? "").trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    const [first] = lines.map((line) => acpProductReading.parse(JSON.parse(line)));
    expect(first?.title).toBe(name);
  });

  test("fields in text feeds are quoted where needed, and line breaks become spaces", async () => {
    offersAre([offer({ name: 'A\t"B"\nC' })]);
    expect(await textOf("/feeds/google.tsv")).toContain('\t"A ""B"" C"\t'.trimStart());
  });
});

describe("an item of Google's feed", () => {
  const first = async () => readGoogleXml(await textOf("/feeds/google.xml"))[0];
  const onSale = (price_cents: number, sale: OfferedLicence["sale"]) =>
    offersAre([offer({}, { licences: [{ ...STANDARD, price_cents, ...(sale && { sale }) }] })]);

  test("has every attribute for digital goods", async () => {
    offersAre([offer({ description: "Icons.", cover_image_url: "https://cdn.example/a.webp" })]);
    expect(await first()).toEqual({
      id: "5f0c1c1e-7a86-4a53-9d5c-2b6f6a1f0e11",
      title: "Harbour Icons",
      description: "Icons.",
      link: "https://generate.example.com/products/harbour-icons",
      image_link: "https://cdn.example/a.webp",
      availability: "in_stock",
      price: "49.00 USD",
      brand: "Atelier",
      condition: "new",
      identifier_exists: "no",
      product_type: "Icons",
      google_product_category: "Software > Digital Goods & Currency",
    });
  });

  test("shows the link preview picture for a drawn or missing cover", async () => {
    const drawn = { image_link: "https://generate.example.com/social/harbour-icons.png" };
    expect(await first()).toMatchObject(drawn);
    offersAre([offer({ cover_image_url: "https://generate.example.com/covers/harbour-icons.svg?view=2" })]);
    expect(await first()).toMatchObject(drawn);
  });

  const [starts_at, ends_at] = ["2026-02-01T09:00:30.000Z", "2026-03-01T09:00:30.000Z"];
  const WINDOW = "2026-02-01T09:01Z/2026-03-01T09:00Z";
  type Sale = [price_cents: number, starts_at: string, ends_at: string];
  test.each<[string, number, Sale | undefined, string]>([
    ["no sale", 4_900, undefined, "49.00 USD"],
    [
      "a current sale in whole minutes",
      1_950,
      [1_950, starts_at, ends_at],
      `49.00 USD, 19.50 USD, ${WINDOW}`,
    ],
    ["a future sale, with its window", 4_900, [1_950, starts_at, ends_at], `49.00 USD, 19.50 USD, ${WINDOW}`],
    ["a current sale without an end", 1_950, [1_950, starts_at, ""], "49.00 USD, 19.50 USD"],
    ["a future sale without an end", 4_900, [1_950, starts_at, ""], "49.00 USD"],
    [
      "a sale without a start, since the product's last change",
      1_950,
      [1_950, "", ends_at],
      "49.00 USD, 19.50 USD, 2026-01-30T15:20Z/2026-03-01T09:00Z",
    ],
    ["a sale above the regular price", 5_900, [5_900, starts_at, ends_at], "59.00 USD"],
    ["a future sale at 0", 4_900, [0, starts_at, ends_at], "49.00 USD"],
    [
      "a sale shorter than a minute",
      4_900,
      [1_950, "2026-02-01T09:00:10Z", "2026-02-01T09:00:50Z"],
      "49.00 USD",
    ],
  ])("%s", async (_name, price_cents, sale, expected) => {
    onSale(price_cents, sale && { price_cents: sale[0], starts_at: sale[1], ends_at: sale[2] });
    const { price, sale_price, sale_price_effective_date } = (await first()) ?? {};
    const told = [price, sale_price, sale_price_effective_date].filter((value) => value !== undefined);
    expect(told.join(", ")).toBe(expected);
    googleItemReading.parse(await first());
  });

  test("is absent for free products, by a sale too, and for client licences only", async () => {
    onSale(0, { price_cents: 0, starts_at, ends_at });
    expect(await first()).toBeUndefined();
    offersAre([
      offer({}, { licences: [{ licence: "client", price_cents: 9_900, list_price_cents: 9_900 }] }),
    ]);
    expect(await first()).toBeUndefined();
  });

  test("respects the length limits without splitting a character", async () => {
    offersAre([
      offer({ name: "🧭".repeat(200), description: "🧭".repeat(6_000) }, { category_name: "🧭".repeat(800) }),
    ]);
    const item = googleItemReading.parse(await first());
    expect([...item.title]).toHaveLength(150);
    expect([...item.description]).toHaveLength(5_000);
  });
});

describe.each(FEEDS)("%s", (path) => {
  test("gives 304 until the catalog, the payment setting or the shard changes", async () => {
    const { status, headers } = await get(path);
    expect(status).toBe(200);
    const etag = headers.etag ?? "";
    expect(etag).toMatch(/^W\/"/);
    expect(headers["cache-control"]).toBe("no-cache");
    expect(headers.vary).toBe("accept-encoding");
    const tells = async (to: string = path) => (await get(to, { "if-none-match": `"x", ${etag}` })).status;
    expect(await tells()).toBe(304);
    expect(await tells(`${path}?shard=1&of=1`)).toBe(304);
    expect(await tells(`${path}?shard=1&of=2`)).toBe(200);
    offersAre([offer({})], "e.2");
    expect(await tells()).toBe(200);
    offersAre([offer({})], "e.1", false);
    expect(await tells()).toBe(200);
  });

  test("is compressed on request, and answers HEAD", async () => {
    const plain = (await get(path)).body;
    const gzip = await get(path, { "accept-encoding": "gzip" });
    expect(gzip.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(gzip.body)).toEqual(plain);
    const brotli = await get(path, { "accept-encoding": "br, gzip" });
    expect(brotliDecompressSync(brotli.body)).toEqual(plain);
    const head = await get(path, {}, "HEAD");
    expect([head.status, head.body.length, head.headers.etag]).toEqual([200, 0, gzip.headers.etag]);
  });

  test("is refused while core is away, and cut off when core is lost midway", async () => {
    gateway.answer("catalog.ListOffers", async function* () {
      yield { revision: "e.1", takes_payments: true, offers: [] };
      yield { revision: "e.1", takes_payments: true, offers: [offer({})] };
      throw new AppError("service_unavailable");
    });
    await expect(get(path)).rejects.toThrow(/aborted|reset|hang up/);
    // So little was not sent yet, so the response is a refusal and not cut off.
    const whole = await get(path, { "accept-encoding": "gzip" });
    expect(JSON.parse(whole.body.toString())).toMatchObject({ code: "catalog_unavailable" });
    expect(whole.headers).not.toHaveProperty("content-encoding");
    expect(whole.headers).not.toHaveProperty("etag");
    // oxlint-disable-next-line require-yield
    gateway.answer("catalog.ListOffers", async function* () {
      throw new AppError("service_unavailable");
    });
    const refused = await get(path);
    expect(JSON.parse(refused.body.toString())).toMatchObject({ code: "catalog_unavailable" });
  });
});

test("Last-Modified is sent once seconds can distinguish changes, and gives 304", async () => {
  const at = async (headers: Record<string, string> = {}) => get("/feeds/google.xml", headers);
  const heardAt = async () => await textOf("/feeds/acp/metadata.json");
  const before = await heardAt();
  catalog.tell({ revision: "e.7" });
  offersAre([offer({})], "e.7");
  await waitFor("the change", async () => (await heardAt()) !== before);
  expect((await at()).headers).not.toHaveProperty("last-modified");
  catalog.setAhead(60_000);
  catalog.tell({});
  await waitFor("a minute to be over", async () => (await at()).headers["last-modified"] !== undefined);
  const changed = (await at()).headers["last-modified"] ?? "";
  expect(new Date(changed).toUTCString()).toBe(changed);
  expect((await at({ "if-modified-since": changed })).status).toBe(304);
  expect((await at({ "if-modified-since": "Thu, 01 Jan 1970 00:00:00 GMT" })).status).toBe(200);
  expect((await at({ "if-modified-since": "garbage" })).status).toBe(200);
  // A wrong ETag has priority over a right time.
  expect((await at({ "if-modified-since": changed, "if-none-match": '"x"' })).status).toBe(200);
  // There was a change just now.
  catalog.tell({ revision: "e.8" });
  offersAre([offer({})], "e.8");
  await waitFor("the change", async () => (await at()).headers["last-modified"] === undefined);
  expect((await at({ "if-modified-since": changed })).status).toBe(200);
});

test("[FEED-02] a stalled reader stops core after a handful of rows, for a feed of any size", async () => {
  const BATCHES = 2_000;
  let told = 0;
  const stopped = Promise.withResolvers<void>();
  const long = "x".repeat(10_000);
  gateway.answer("catalog.ListOffers", async function* (_request, { signal }) {
    signal?.addEventListener("abort", () => stopped.resolve());
    yield { revision: "e.1", takes_payments: true, offers: [] };
    for (; told < BATCHES && !signal?.aborted; told++) {
      const offers = Array.from({ length: 50 }, () => offer({ description: long }));
      yield { revision: "e.1", takes_payments: true, offers };
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  const { port } = new URL(gateway.url);
  const socket = connect(Number(port), "127.0.0.1");
  await once(socket, "connect");
  socket.pause();
  socket.write("GET /feeds/acp/products.jsonl HTTP/1.1\r\nhost: localhost\r\n\r\n");
  let before = -1;
  await waitFor("the stream to stand still", async () => {
    const now = told;
    await new Promise((resolve) => setTimeout(resolve, 200));
    const stands = now > 0 && now === told && now === before;
    before = told;
    return stands;
  });
  // Each is half a megabyte: the buffers of sockets, and one or two more.
  expect(told).toBeLessThan(40);
  socket.destroy();
  await stopped.promise;
});
