// The catalog: cached pages against a bare fastify route that sends the same bytes, in alternating rounds; random uncached queries through
// gateway, gRPC and core's index; and the growth with the catalog. npm run bench -- catalog [PRODUCTS…], default 1,000 to 1,000,000.
import type { CatalogPageResource } from "../proto/resources/product.ts";
import { mulberry32 } from "../runtime/covers/mulberry32.ts";
import { useOf } from "../scripts/testbed/processes.ts";
import type { BareRoute } from "./support/bare-fastify-process.ts";
import {
  type Answer,
  type CatalogFixture,
  get,
  openCatalogFixture,
  type Start,
} from "./support/catalog-world.ts";
import { startChild } from "./support/child.ts";
import {
  type ClosedOrder,
  contest,
  driveHttp,
  type Loader,
  requestText,
  startLoader,
} from "./support/contest.ts";
import { type Load, medianLoad, ms, printTable, rate, readSizes } from "./support/stats.ts";
import { printMachine } from "./support/world.ts";

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
const CALLERS = 64;
const ROUNDS = 5;
const ROUND_MS = 1_000;
const COLD_ROUNDS = 3;
const COLD_MS = 3_000;
const COLD_QUERIES = 100_000;
const COLD_CALLERS = 16;
const BROWSER_ENCODINGS = "gzip, deflate, br, zstd";
/** Headers that every server adds, and those that differ for each request. */
const OWN_HEADERS = new Set(["date", "connection", "keep-alive", "content-length", "x-request-id"]);
const GROWTH = [
  "products",
  "seed s",
  "built s",
  "MB",
  "opened s",
  "MB",
  "after",
  "p50 ms",
  "p99 ms",
  `p50 ms, ${COLD_CALLERS} callers`,
  "p99 ms",
  "queries/s",
];
const SORTS = ["newest", "alphabetical", "popular", "rating", "home"];
const PAGE_SIZES = ["6", "12", "12", "20", "24", "36", "50"];
const SEED = 7;

export async function run(): Promise<void> {
  const given = readSizes(process.argv.slice(3));
  const sizes = given.length > 0 ? given : SIZES;
  printMachine();
  const loader = await startLoader();
  const growth: string[][] = [];
  for (const [i, size] of sizes.entries()) {
    const world = await openCatalogFixture(size);
    try {
      if (i === 0) await measureWarm(loader, world);
      growth.push(await measureCold(loader, world, size));
    } finally {
      await world.close();
    }
  }
  await loader.stop();
  console.log("\nRandom queries that no cache has, through the whole path");
  printTable(GROWTH, growth);
}

type Contest = { title: string; path: string; headers: Record<string, string>; ready: Answer };

async function measureWarm(loader: Loader, { port, gateway }: CatalogFixture): Promise<void> {
  const contests = await prepareContests(port);
  const bare = await startChild<readonly BareRoute[], number>("bare-fastify-process.ts");
  const barePort = await bare.ask(contests.map(bareRoute));
  const rows: string[][] = [];
  for (const [i, { title, path, headers, ready }] of contests.entries()) {
    const sides = [
      {
        order: orderOf(port, requestText(path, headers), ready.status),
        pid: gateway.pid,
      },
      {
        order: orderOf(barePort, requestText(`/${i}`, headers), ready.status),
        pid: bare.pid,
      },
    ];
    const [ours, theirs] = await contest(loader, sides, ROUNDS);
    if (!ours || !theirs) throw new Error("there are two sides");
    rows.push([
      title,
      String(ready.body.length),
      rate(ours.perSecond),
      rate(theirs.perSecond),
      (ours.perSecond / theirs.perSecond).toFixed(2),
      ours.cpuMicrosEach.toFixed(1),
      theirs.cpuMicrosEach.toFixed(1),
      ms(ours.p99Ms),
      ms(theirs.p99Ms),
    ]);
  }
  await bare.stop();
  console.log(
    `\nReady pages, ${CALLERS} callers, medians of ${ROUNDS} alternating rounds of ${ROUND_MS / 1000} s`,
  );
  printTable(
    ["", "bytes", "ours/s", "bare/s", "ratio", "CPU µs each", "bare µs", "p99 ms", "bare p99 ms"],
    rows,
  );
}

async function prepareContests(port: number): Promise<Contest[]> {
  const list = await get(port, "/api/catalog", {});
  const [first] = (JSON.parse(list.body.toString()) as CatalogPageResource).data;
  if (!first) throw new Error("the catalog is empty");
  const detail = `/api/catalog/${first.slug}`;
  const browser = { "accept-encoding": BROWSER_ENCODINGS };
  const { etag = "" } = (await get(port, "/api/catalog", browser)).headers;
  const wanted: [string, string, Record<string, string>][] = [
    ["list, compressed", "/api/catalog", browser],
    ["list, plain", "/api/catalog", {}],
    ["detail, compressed", detail, browser],
    ["detail, plain", detail, {}],
    ["list, 304", "/api/catalog", { ...browser, "if-none-match": etag }],
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

/** The same bytes except for a request id, sent by a bare route. */
function bareRoute({ ready }: Contest, i: number): BareRoute {
  const kept = Object.entries(ready.headers).filter(([name]) => !OWN_HEADERS.has(name));
  return {
    path: `/${i}`,
    status: ready.status,
    headers: Object.fromEntries(kept),
    body: ready.body.toString("base64"),
  };
}

function orderOf(port: number, request: string, status: number): ClosedOrder {
  return { port, connections: CALLERS, forMs: ROUND_MS, requests: [request], status, alike: true };
}

async function measureCold(loader: Loader, world: CatalogFixture, products: number): Promise<string[]> {
  const { port, core } = world;
  const everyFacet = await get(port, "/api/catalog?pageSize=50&facets=category,pricing_tier,tag,status", {});
  const page = JSON.parse(everyFacet.body.toString()) as CatalogPageResource;
  const requests = randomQueries(page, COLD_QUERIES).map((query) =>
    requestText(`/api/catalog?${query}`, { "accept-encoding": BROWSER_ENCODINGS }),
  );
  const partLength = Math.floor(requests.length / (2 * (COLD_ROUNDS + 1)));
  // Different queries each time, so that none is cached.
  let from = 0;
  const measure = async (connections: number): Promise<Load> => {
    const loads: Load[] = [];
    for (let round = 0; round <= COLD_ROUNDS; round++) {
      const part = requests.slice(from, (from += partLength));
      const load = await driveHttp(loader, {
        port,
        connections,
        forMs: COLD_MS,
        requests: part,
        status: 200,
      });
      // The first round warms up the code.
      if (round > 0) loads.push(load);
    }
    return medianLoad(loads);
  };
  const alone = await measure(1);
  const together = await measure(COLD_CALLERS);
  return [
    rate(products),
    world.seedSeconds.toFixed(1),
    ...startCells(world.built),
    ...startCells(world.opened),
    rate(useOf(core.pid).megabytes),
    ms(alone.p50Ms),
    ms(alone.p99Ms),
    ms(together.p50Ms),
    ms(together.p99Ms),
    rate(together.perSecond),
  ];
}

function startCells(start: Start | undefined): [string, string] {
  return start ? [start.seconds.toFixed(1), rate(start.megabytes)] : ["", ""];
}

/** Different random query strings of filters, words and pages. `page` is one page with all four facets. */
function randomQueries({ data, facets }: CatalogPageResource, count: number): string[] {
  const texts = data.map(({ name, description }) => `${name} ${description ?? ""}`.toLowerCase());
  const words = [...new Set(texts.flatMap((text) => text.match(/[a-z]{3,}/g) ?? []))];
  const [categories = [], tiers = [], tags = [], statuses = []] = (
    ["category", "pricing_tier", "tag", "status"] as const
  ).map((facet) => (facets?.[facet] ?? []).map(({ value }) => value));
  const random = mulberry32(SEED);
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? "";
  const chance = (part: number) => random() < part;
  const search = () => {
    const last = pick(words);
    return [...(chance(0.4) ? [pick(words)] : []), chance(0.3) ? last.slice(0, 3) : last].join(" ");
  };
  const queries = new Set<string>();
  while (queries.size < count) {
    const query = new URLSearchParams();
    if (chance(0.6)) query.set("search", search());
    if (chance(0.4)) query.set("category", pick(categories));
    if (chance(0.3)) query.append("tag", pick(tags));
    if (chance(0.1)) query.append("tag", pick(tags));
    if (chance(0.2)) query.set("pricing_tier", pick(tiers));
    if (chance(0.2)) query.set("status", pick(statuses));
    if (chance(0.6)) query.set("sort", pick(SORTS));
    if (chance(0.1)) query.set("facets", "category,tag");
    query.set("page", String(1 + Math.floor(random() * (chance(0.7) ? 3 : 500))));
    query.set("pageSize", pick(PAGE_SIZES));
    queries.add(query.toString());
  }
  return [...queries];
}
