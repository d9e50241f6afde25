// The catalog follows its database immediately, through outages, and never serves data older than a second.
import type { Document } from "mongodb";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { connectMongo, type Db } from "../../../../core/base/mongo/client.ts";
import { startCore } from "../../../../core/entry/start.ts";
import type { App } from "../../../../core/kernel/app.ts";
import { buildIndex, loadNames } from "../../../../core/shop/catalog/build-index.ts";
import { seedDemoCatalog } from "../../../../core/shop/catalog/demo/seed.ts";
import { createFreshness } from "../../../../core/shop/catalog/freshness.ts";
import { getProduct } from "../../../../core/shop/catalog/get-product.ts";
import { createCatalogIndex } from "../../../../core/shop/catalog/index/catalog-index.ts";
import { listProducts } from "../../../../core/shop/catalog/list-products.ts";
import { type Catalog, createCatalog } from "../../../../core/shop/catalog/live-catalog.ts";
import { watchCatalog } from "../../../../core/shop/catalog/watch-catalog.ts";
import { createCoreClient } from "../../../../proto/client.ts";
import { AppError } from "../../../../proto/codes.ts";
import type { CatalogPageResource } from "../../../../proto/resources/product.ts";
import type { ListProductsRequest } from "../../../../proto/types/atelier/v1/ListProductsRequest.ts";
import { loadServiceKey, signServiceToken } from "../../../../runtime/keys/service-token.ts";
import { createTestApp, type TestAppOptions, useTestApp } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { startTcpProxy } from "../../../support/tcp-proxy.ts";
import { expectPrompt } from "../../../support/thorough.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { ANY, row, write } from "./rows.ts";

async function read(catalog: Catalog, query: Partial<ListProductsRequest> = {}) {
  const { body, revision, version } = await listProducts(catalog, { ...ANY, ...query });
  return {
    page: JSON.parse(String(body)) as CatalogPageResource,
    revision: revision ?? "",
    version: Number(version),
  };
}

async function reach(catalog: Catalog, version: number): Promise<void> {
  await waitFor(`version ${version}`, () => catalog.live.state().version >= version);
}

/** A catalog that follows a database of its own until the test ends. */
async function startCatalog(options: TestAppOptions = {}) {
  const { app, database, close } = await createTestApp(options);
  onTestFinished(close);
  return { app, database, catalog: await follow(app) };
}

async function follow(app: App): Promise<Catalog> {
  const catalog = createCatalog(app);
  onTestFinished(() => catalog.live.stop());
  await catalog.live.start();
  return catalog;
}

/** One that reaches its database through a proxy. */
async function openThroughProxy(options: TestAppOptions = {}) {
  const test = await createTestApp(options);
  onTestFinished(test.close);
  const proxy = await startTcpProxy(Number(new URL(test.database.uri).port));
  const mongo = await connectMongo(
    `mongodb://127.0.0.1:${proxy.port}/?directConnection=true`,
    test.database.name,
  );
  onTestFinished(() => mongo.client.close());
  return { test, proxy, catalog: await follow({ ...test.app, mongo }) };
}

test("[CAT-12] two cores on one database show a write within a second", async () => {
  const { app, close } = await createTestApp({ env: { ATELIER_GRPC_PORT: "0" } });
  const cores = [await startCore(app), await startCore(app)];
  const pem = loadServiceKey(app.config, "gateway");
  const clients = cores.map(({ address }) =>
    createCoreClient({ address, serviceToken: () => signServiceToken(pem, "gateway", ["Catalog"], 60) }),
  );
  try {
    for (let n = 1; n <= 5; n++) {
      await write(app, [row(`seen-${n}`)]);
      const writtenAt = performance.now();
      for (const client of clients) {
        await waitFor("the product", () =>
          client.catalog.GetProduct({ slug: `seen-${n}` }).catch(() => null),
        );
      }
      expectPrompt(performance.now() - writtenAt, 1_000);
    }
    const revisions = await Promise.all(clients.map((client) => client.catalog.ListProducts({})));
    expect(revisions[0]?.revision).toBe(revisions[1]?.revision);
  } finally {
    for (const client of clients) client.close();
    await Promise.all(cores.map((core) => core.close()));
    await close();
  }
});

test("a watcher of the catalog gets the current state immediately, every write, every start and end of a sale, and heartbeats", async () => {
  const clock = createFakeClock("2026-01-01T00:00:00.000Z");
  const { app, catalog } = await startCatalog({ clock });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const states = watchCatalog(catalog, stop.signal);
  const next = async () => (await states.next()).value ?? {};
  await waitFor("freshness", () => catalog.live.state().fresh);
  const first = await next();
  expect(first).toMatchObject({ version: 0, fresh: true, next_edge_at: "", products: 0 });
  const waitedFrom = performance.now();
  expect(await next()).toEqual(first);
  expectPrompt(performance.now() - waitedFrom, 600);

  const ends = "2026-01-01T00:01:00.000Z";
  const version = await write(app, [row("sold", { sale: { price_cents: 100, ends_at: ends } })]);
  const told = await waitFor("the write", async () => {
    const state = await next();
    return state.version === version && state;
  });
  expect(told).toMatchObject({ next_edge_at: ends, products: 1 });
  clock.set(ends);
  const after = await waitFor("the edge", async () => {
    const state = await next();
    return state.next_edge_at === "" && state;
  });
  expect(after.revision).not.toBe(told.revision);
  await waitFor("the change that the edge is", async () => (await next()).version === version + 1);
});

describe("the epoch of the catalog", () => {
  /** The effect of a backup and its restore: the same documents in new collections. */
  async function restore(db: Db, backup: ReadonlyMap<string, Document[]>): Promise<void> {
    for (const [name, documents] of backup) {
      await db.collection(name).drop();
      if (documents.length > 0) await db.collection(name).insertMany(documents);
    }
  }

  test("[CAT-43] changes after a restore, under a running core and at its next start", async () => {
    const { app, close } = await createTestApp();
    onTestFinished(close);
    const { db } = app.mongo;
    const open = async () => {
      const catalog = await follow(app);
      await waitFor("freshness", () => catalog.live.state().fresh);
      return catalog;
    };
    const epochOf = async (catalog: Catalog) => (await catalog.live.current()).epoch;
    let catalog = await open();
    const first = await epochOf(catalog);
    await write(app, [row("kept")]);
    const names = ["products", "categories", "tags", "catalog_state"];
    const documents = await Promise.all(names.map((name) => db.collection(name).find().toArray()));
    const backup = new Map(names.map((name, i) => [name, documents[i] ?? []]));
    await reach(catalog, await write(app, [row("lost")]));
    expect(await epochOf(catalog)).toBe(first);

    await restore(db, backup);
    const second = await waitFor("another epoch", async () => {
      const epoch = await epochOf(catalog).catch(() => first);
      return epoch !== first && epoch;
    });
    await catalog.live.stop();
    catalog = await open();
    // Only a restore changes the epoch.
    expect(await epochOf(catalog)).toBe(second);
    await catalog.live.stop();
    await restore(db, backup);
    catalog = await open();
    expect([first, second]).not.toContain(await epochOf(catalog));
    expect((await read(catalog)).page.data.map(({ slug }) => slug)).toEqual(["kept"]);
  });
});

describe("a core that loses its database", () => {
  test.each(["cut", "frozen"])("serves data at most a second old and never hangs: %s", async (how) => {
    const { test: own, catalog, proxy } = await openThroughProxy();
    const acknowledged: { atMs: number; total: number }[] = [];
    const answers: { askedMs: number; tookMs: number; total: number | undefined }[] = [];
    let asking = true;
    const ask = async () => {
      while (asking) {
        const askedMs = performance.now();
        const total = await read(catalog).then(
          ({ page }) => page.total,
          (error: unknown) => {
            if (error instanceof AppError && error.code === "catalog_unavailable") return undefined;
            throw error;
          },
        );
        answers.push({ askedMs, tookMs: performance.now() - askedMs, total });
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    let count = 0;
    const add = async () => {
      await write(own.app, [row(`lost-${++count}`)]);
      acknowledged.push({ atMs: performance.now(), total: count });
    };
    const answered = (from: number, total: number | undefined) =>
      waitFor(`answers of ${total}`, () =>
        answers.some((answer) => answer.askedMs >= from && answer.total === total),
      );
    const asked = ask();
    try {
      await add();
      await answered(0, 1);
      if (how === "cut") await proxy.cut();
      else proxy.blackHole();
      await add();
      await answered(performance.now(), undefined);
      await add();
      await proxy.restore();
      await answered(performance.now(), 3);
      await add();
      await answered(performance.now(), 4);
    } finally {
      asking = false;
      await asked;
    }
    for (const { askedMs, total } of answers) {
      if (total === undefined) continue;
      const known = acknowledged.filter(({ atMs }) => atMs < askedMs - 1_000).at(-1)?.total ?? 0;
      expect(total).toBeGreaterThanOrEqual(known);
    }
    expectPrompt(Math.max(...answers.map(({ tookMs }) => tookMs)), 3_000);
  });

  test("rebuilds when the change stream cannot be resumed", async () => {
    const { app, database, catalog } = await startCatalog();
    await reach(catalog, await write(app, [row("before")]));
    const products = database.mongo.db.collection("products");
    const kept = await products.findOne();
    await products.drop();
    if (kept) await products.insertOne({ ...kept, slug: "restored" });
    const restored = await waitFor("the product as restored", async () => {
      const { page } = await read(catalog);
      return page.data[0]?.slug === "restored" && page;
    });
    expect(restored.total).toBe(1);
  });

  test("rebuilds when the database was replaced", async () => {
    const { app, database, catalog } = await startCatalog();
    await reach(catalog, await write(app, [row("old")]));
    const before = await read(catalog);
    await database.mongo.db.collection("products").updateOne({ slug: "old" }, { $set: { name: "New" } });
    await database.mongo.db
      .collection<{ _id: string }>("catalog_state")
      .updateOne({ _id: "catalog" }, { $set: { epoch: "another" } });
    const after = await waitFor("the other name", async () => {
      const answer = await read(catalog);
      return answer.page.data[0]?.name === "New" && answer;
    });
    expect(after.version).toBe(before.version);
    expect(after.revision).not.toBe(before.revision);
  });
});

describe("[OPS-21] a core whose embedded database has stopped", () => {
  const refused = async (catalog: Catalog) =>
    read(catalog).then(
      () => false,
      (error: unknown) => error instanceof AppError && error.code === "catalog_unavailable",
    );

  test("serves current prices from memory until the database is back with unknown changes", async () => {
    const clock = createFakeClock("2026-01-01T00:00:00.000Z");
    let isStopped = false;
    const ownDatabase = { isStopped: () => isStopped, isShortOfSpace: () => false };
    const { test: own, catalog, proxy } = await openThroughProxy({ clock, ownDatabase });
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const ends = "2026-01-01T00:01:00.000Z";
    const sale = { price_cents: 100, ends_at: ends };
    await reach(catalog, await write(own.app, [row("kept", { sale }), row("plain")]));
    await waitFor("the proof", () => catalog.live.state().fresh);
    const before = await read(catalog);
    const priceOf = async () =>
      (await read(catalog, { search: "kept", facets: ["tag"] })).page.data[0]?.effective_price;
    expect(await priceOf()).toBe(1);

    // Out of reach, without a core that knows more.
    await proxy.cut();
    await waitFor("the refusal", () => refused(catalog));
    isStopped = true;
    expect(await read(catalog)).toEqual(before);
    expect((await getProduct(catalog, "plain")).revision).toBe(before.revision);
    expect((await watchCatalog(catalog, stop.signal).next()).value).toMatchObject({ fresh: true });
    expect(await priceOf()).toBe(1);
    clock.set(ends);
    expect(await priceOf()).toBe(49);

    // The database is up again, and another process has written first.
    isStopped = false;
    await write(own.app, [row("since")]);
    expect(await refused(catalog)).toBe(true);
    await proxy.restore();
    await waitFor("the new one", async () => (await read(catalog)).page.total === 3);
  });

  test("stops serving a view that was behind at the database's last response", async () => {
    let isStopped = false;
    const ownDatabase = { isStopped: () => isStopped, isShortOfSpace: () => false };
    const { app, close } = await createTestApp({ ownDatabase });
    onTestFinished(close);
    const version = await write(app, [row("known"), row("unknown")]);
    const freshness = createFreshness(app);
    onTestFinished(() => freshness.stop());
    const { epoch } = await waitFor("an answer", () => freshness.latest());
    isStopped = true;
    freshness.note({ epoch: "another", version });
    expect(freshness.isFresh()).toBe(false);
    freshness.note({ epoch, version: version - 1 });
    expect(freshness.isFresh()).toBe(false);
    freshness.note({ epoch, version });
    expect(freshness.isFresh()).toBe(true);
  });
});

describe("a catalog in motion", () => {
  let catalog: Catalog;
  const own = useTestApp();
  beforeAll(async () => {
    catalog = createCatalog(own.app);
    await catalog.live.start();
  });
  afterAll(() => catalog.live.stop());

  test("answers each page as of one version, even when products must be fetched", async () => {
    const slugs = Array.from({ length: 30 }, (_, i) => `moving-${i}`);
    const round = (n: number) => slugs.map((slug) => row(slug, { tagline: `round ${n}`, popularity: n }));
    let writing = true;
    await reach(catalog, await write(own.app, round(0)));
    const writer = (async () => {
      for (let n = 1; writing; n++) await write(own.app, round(n));
    })();
    const taglineAt = new Map<string, string>();
    try {
      // However slow the writer is, pages of several versions must have been seen.
      for (let n = 0; n < 60 || taglineAt.size <= 3; n++) {
        const { index, json } = await catalog.live.current();
        for (const slug of slugs) json.delete(index.findSlug(slug));
        const { page, revision } = await read(catalog, { search: "round", sort: "popular" });
        const tagline = page.data[0]?.tagline ?? "";
        expect(page.data.map((product) => product.tagline)).toEqual(slugs.map(() => tagline));
        expect(taglineAt.get(revision) ?? tagline).toBe(tagline);
        taglineAt.set(revision, tagline);
      }
    } finally {
      writing = false;
      await writer;
    }
  });
});

/** A database whose full reads of the products end only when released, so that writes happen in between. */
function holdReadings(db: Db): { db: Db; held: () => number; letGo: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let held = 0;
  async function* thenWait(cursor: AsyncIterable<unknown>) {
    yield* cursor;
    held++;
    await promise;
  }
  const wrapped = new Proxy(db, {
    get: (target, key) => {
      if (key !== "collection") return bound(target, key);
      return (name: string) =>
        new Proxy(target.collection(name), {
          get: (collection, method) => {
            if (method !== "find" || name !== "products") return bound(collection, method);
            return (filter: object, options: object) => {
              const cursor = collection.find(filter, options);
              return Object.keys(filter).join() === "status" ? thenWait(cursor) : cursor;
            };
          },
        });
    },
  });
  return { db: wrapped, held: () => held, letGo: resolve };
}

function bound(target: object, key: string | symbol): unknown {
  const value: unknown = Reflect.get(target, key);
  return typeof value === "function" ? value.bind(target) : value;
}

test("compacts in the background and misses no change meanwhile", async () => {
  const { app, database, close } = await createTestApp();
  onTestFinished(close);
  const { db, held, letGo } = holdReadings(database.mongo.db);
  let isHolding = false;
  const catalog = await follow({
    ...app,
    mongo: {
      ...app.mongo,
      get db() {
        return isHolding ? db : app.mongo.db;
      },
    },
  });
  onTestFinished(letGo);
  const rows = Array.from({ length: 900 }, (_, i) => row(`waste-${i}`, { category: "waste" }));
  await reach(catalog, await write(app, [row("parting"), ...rows]));
  isHolding = true;
  for (let n = 1; n <= 3; n++)
    await write(
      app,
      rows.map((r) => ({ ...r, popularity: n })),
    );
  await waitFor("a build", () => held() === 1);
  await write(app, [row("waste-0", { name: "Last of all", popularity: 99 }), row("arriving")]);
  await reach(catalog, await write(app, [row("parting", { status: "draft" })]));
  letGo();
  await waitFor("a clean index", async () => (await catalog.live.current()).index.wasteCount < 2_000);
  const { page } = await read(catalog, { sort: "popular" });
  expect(page.total).toBe(901);
  expect(page.data[0]?.name).toBe("Last of all");
  expect((await read(catalog, { search: "arriving" })).page.total).toBe(1);
  expect((await read(catalog, { search: "parting" })).page.total).toBe(0);
});

test("a thread builds the same index as the main thread", async () => {
  const { app, close } = await createTestApp();
  onTestFinished(close);
  expect(await seedDemoCatalog(app)).toBe(300);
  expect(await seedDemoCatalog(app)).toBe(0);
  const names = await loadNames(app);
  const { signal } = new AbortController();
  const seen: string[] = [];
  const here = await buildIndex(app, { names, signal, onProduct: ({ slug }) => seen.push(slug) });
  const there = await buildIndex(app, { names, signal, onProduct: () => {}, threadFrom: 1 });
  expect(there).toEqual(here);
  const index = createCatalogIndex(here);
  expect(seen.map((slug) => index.findSlug(slug))).toEqual([...seen.keys()]);
  expect(index.productCount).toBeGreaterThan(250);
});
