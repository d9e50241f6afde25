// The catalog over HTTP. Warm: ready pages against a bare fastify route that sends the same bytes, in alternating rounds. Cold: random
// queries that no cache has, through gateway, gRPC and core's index, and how that grows with the catalog.
// npm run bench -- catalog [PRODUCTS…], default 10,000.
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CatalogPageResource } from "../proto/resources/product.ts";
import { freePort } from "../runtime/free-port.ts";
import type { BareRoute } from "./support/bare-fastify-process.ts";
import type { CoreHello, CoreMemory } from "./support/catalog-core-process.ts";
import { type Child, startChild } from "./support/child.ts";
import type { LoadOrder, LoadResult } from "./support/http-load-process.ts";
import { type Load, medianLoad, ms, printTable, rate } from "./support/stats.ts";
import { waitFor } from "../test/support/wait-for.ts";
import { type BenchMongod, printMachine, startBenchMongod } from "./support/world.ts";

const DEFAULT_SIZES = [10_000];
const CALLERS = 64;
const ROUNDS = 3;
const ROUND_MS = 1_000;
const COLD_ROUNDS = 3;
const COLD_MS = 1_000;
const COLD_QUERIES = 200_000;
const COLD_CALLERS = 16;
const BROWSER_ENCODINGS = "gzip, deflate, br, zstd";

type Loader = Child<LoadOrder, LoadResult>;

export async function run(): Promise<void> {
  const given = process.argv.slice(3).map((size) => Number(size.replaceAll(/[_,]/g, "")));
  const sizes = given.length > 0 ? given : DEFAULT_SIZES;
  if (!sizes.every((size) => Number.isInteger(size) && size > 0))
    throw new Error("sizes of the catalog are whole numbers");
  printMachine();
  const { child: loader } = await startChild<string, LoadOrder, LoadResult>("http-load-process.ts", {});
  const growth: string[][] = [];
  for (const [i, size] of sizes.entries()) {
    const world = await openWorld(size);
    try {
      if (i === 0) await measureWarm(loader, world.port);
      growth.push(await measureCold(loader, world, size));
    } finally {
      await world.close();
    }
  }
  await loader.stop();
  console.log("Random queries that no cache has, through the whole path");
  printTable(
    [
      "products",
      "seed s",
      "build s",
      "core MB",
      "p50 ms",
      "p99 ms",
      `p50 ms, ${COLD_CALLERS} callers`,
      "p99 ms",
      "queries/s",
    ],
    growth,
  );
}

type World = { port: number; hello: CoreHello; memory(): Promise<CoreMemory>; close(): Promise<void> };

async function openWorld(products: number): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "atelier-bench-catalog-"));
  const mongod: BenchMongod = await startBenchMongod();
  const port = await freePort();
  const env = {
    MONGODB_URI: mongod.uri,
    ATELIER_MONGO_DATABASE: "catalog",
    ATELIER_DATA_DIR: folder,
    ATELIER_GRPC_PORT: "0",
    ATELIER_HTTP_PORT: String(port),
    ATELIER_RATE_LIMITS: "off",
    ATELIER_DEMO_PRODUCTS: String(products),
  };
  const core = await startChild<CoreHello, object, CoreMemory>("catalog-core-process.ts", env);
  const gateway = await startChild<string, object, object>("gateway-process.ts", {
    ...env,
    ATELIER_CORE_ADDRESS: core.hello.address,
  });
  return {
    port,
    hello: core.hello,
    memory: () => core.child.ask({}),
    close: async () => {
      await gateway.child.stop();
      await core.child.stop();
      await mongod.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Answer = { status: number; headers: Record<string, string>; body: Buffer };

/** Bytes as they come over the wire. */
function get(port: number, path: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string>,
          body: Buffer.concat(parts),
        }),
      );
    })
      .on("error", reject)
      .end();
  });
}

type Contest = { title: string; path: string; headers: Record<string, string>; ready: Answer };

async function measureWarm(loader: Loader, port: number): Promise<void> {
  const contests = await prepareContests(port);
  const routes = contests.map(({ ready }, i): BareRoute => {
    const names = ready.status === 304 ? ["etag"] : ["content-type", "content-encoding"];
    const kept = names.flatMap((name) => (ready.headers[name] ? [[name, ready.headers[name]]] : []));
    return {
      path: `/${i}`,
      status: ready.status,
      headers: Object.fromEntries(kept) as Record<string, string>,
      body: ready.body.toString("base64"),
    };
  });
  const bare = await startChild<string, BareRoute[], { port: number }>("bare-fastify-process.ts", {});
  const { port: barePort } = await bare.child.ask(routes);
  const rows: string[][] = [];
  for (const [i, { title, path, headers, ready }] of contests.entries()) {
    const ours = order(port, [requestText(path, headers)], ready.status);
    const theirs = order(barePort, [requestText(`/${i}`, headers)], ready.status);
    const [a, b] = await alternate(loader, ours, theirs);
    rows.push([
      title,
      String(ready.body.length),
      rate(a.perSecond),
      rate(b.perSecond),
      (a.perSecond / b.perSecond).toFixed(2),
      ms(a.p99Ms),
      ms(b.p99Ms),
    ]);
  }
  await bare.child.stop();
  console.log(
    `Ready pages, ${CALLERS} callers, medians of ${ROUNDS} alternating rounds of ${ROUND_MS / 1000} s`,
  );
  printTable(["", "bytes", "ours/s", "bare fastify/s", "ratio", "p99 ms", "bare p99 ms"], rows);
  console.log();
}

async function prepareContests(port: number): Promise<Contest[]> {
  const list = await get(port, "/api/catalog", {});
  const [first] = (JSON.parse(list.body.toString()) as CatalogPageResource).data;
  if (!first) throw new Error("the catalog is empty");
  const detail = `/api/catalog/${first.slug}`;
  const browser = { "accept-encoding": BROWSER_ENCODINGS };
  const known = {
    ...browser,
    "if-none-match": (await get(port, "/api/catalog", browser)).headers["etag"] ?? "",
  };
  const wanted: [string, string, Record<string, string>][] = [
    ["list, compressed", "/api/catalog", browser],
    ["list, plain", "/api/catalog", {}],
    ["detail, compressed", detail, browser],
    ["detail, plain", detail, {}],
    ["list, 304", "/api/catalog", known],
  ];
  return Promise.all(
    wanted.map(async ([title, path, headers]) => ({
      title,
      path,
      headers,
      ready: await get(port, path, headers),
    })),
  );
}

async function alternate(loader: Loader, ours: LoadOrder, theirs: LoadOrder): Promise<[Load, Load]> {
  const rounds: [Load[], Load[]] = [[], []];
  await drive(loader, ours);
  await drive(loader, theirs);
  for (let round = 0; round < ROUNDS; round++) {
    rounds[0].push(await drive(loader, ours));
    rounds[1].push(await drive(loader, theirs));
  }
  return [medianLoad(rounds[0]), medianLoad(rounds[1])];
}

async function drive(loader: Loader, what: LoadOrder): Promise<Load> {
  const { error, ...load } = await loader.ask(what);
  if (error !== undefined) throw new Error(error);
  return load;
}

function order(port: number, requests: string[], status: number): LoadOrder {
  return { port, connections: CALLERS, forMs: ROUND_MS, requests, status };
}

function requestText(path: string, headers: Record<string, string>): string {
  const lines = Object.entries({ host: "127.0.0.1", ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

async function measureCold(
  loader: Loader,
  { port, hello, memory }: World,
  products: number,
): Promise<string[]> {
  await waitFor("the catalog", async () => (await get(port, "/api/catalog", {})).status === 200);
  const requests = (await randomQueries(port)).map((query) =>
    requestText(`/api/catalog?${query}`, { "accept-encoding": BROWSER_ENCODINGS }),
  );
  // Another part of the queries each time, so that none is found in the cache.
  let from = 0;
  const take = (count: number) => requests.slice(from, (from += count));
  const measure = async (connections: number): Promise<Load> => {
    const loads: Load[] = [];
    for (let round = 0; round <= COLD_ROUNDS; round++) {
      const part = take(Math.floor(requests.length / (2 * (COLD_ROUNDS + 1))));
      const load = await drive(loader, { port, connections, forMs: COLD_MS, requests: part, status: 200 });
      // The first round warms up code, not pages.
      if (round > 0) loads.push(load);
    }
    return medianLoad(loads);
  };
  const alone = await measure(1);
  const together = await measure(COLD_CALLERS);
  return [
    rate(products),
    hello.seedSeconds.toFixed(1),
    hello.buildSeconds.toFixed(1),
    rate((await memory()).megabytes),
    ms(alone.p50Ms),
    ms(alone.p99Ms),
    ms(together.p50Ms),
    ms(together.p99Ms),
    rate(together.perSecond),
  ];
}

/** Filters, words and pages at random from what the catalog has, each query once. */
async function randomQueries(port: number): Promise<string[]> {
  const { body } = await get(port, "/api/catalog?pageSize=50&facets=category,pricing_tier,tag,status", {});
  const { data, facets } = JSON.parse(body.toString()) as CatalogPageResource;
  const words = [
    ...new Set(
      data.flatMap(
        ({ name, description }) => `${name} ${description ?? ""}`.toLowerCase().match(/[a-z]{3,}/g) ?? [],
      ),
    ),
  ];
  const valuesOf = (facet: "category" | "pricing_tier" | "tag" | "status") =>
    (facets?.[facet] ?? []).map(({ value }) => value);
  const [categories, tiers, tags, statuses] = [
    valuesOf("category"),
    valuesOf("pricing_tier"),
    valuesOf("tag"),
    valuesOf("status"),
  ];
  const random = seededRandom(7);
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? "";
  const chance = (part: number) => random() < part;
  const queries = new Set<string>();
  for (let i = 0; i < COLD_QUERIES * 2 && queries.size < COLD_QUERIES; i++) {
    const query = new URLSearchParams();
    if (chance(0.6)) {
      const last = pick(words);
      const search = [...(chance(0.4) ? [pick(words)] : []), chance(0.3) ? last.slice(0, 3) : last];
      query.set("search", search.join(" "));
    }
    if (chance(0.4)) query.set("category", pick(categories));
    if (chance(0.3)) query.append("tag", pick(tags));
    if (chance(0.1)) query.append("tag", pick(tags));
    if (chance(0.2)) query.set("pricing_tier", pick(tiers));
    if (chance(0.2)) query.set("status", pick(statuses));
    if (chance(0.6)) query.set("sort", pick(["newest", "alphabetical", "popular", "rating", "home"]));
    if (chance(0.1)) query.set("facets", "category,tag");
    query.set("page", String(chance(0.7) ? 1 + Math.floor(random() * 3) : 1 + Math.floor(random() * 500)));
    query.set("pageSize", pick(["6", "12", "12", "20", "24", "36", "50"]));
    queries.add(query.toString());
  }
  return [...queries];
}

/** The same numbers in every run (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
