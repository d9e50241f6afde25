// The stored index of a large catalog: a core that starts with it answers like one that reads all products.
import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { type ObjectStore, ObjectStoreError } from "../../../../core/base/objects/object-store.ts";
import { putCategory, putTag, setProductStatus } from "../../../../core/shop/catalog/edit-catalog.ts";
import { createBaseBuilder } from "../../../../core/shop/catalog/index/base.ts";
import { listProducts } from "../../../../core/shop/catalog/list-products.ts";
import { type Catalog, createCatalog } from "../../../../core/shop/catalog/live-catalog.ts";
import { keepSnapshot } from "../../../../core/shop/catalog/snapshot.ts";
import type { CatalogPageResource } from "../../../../proto/resources/product.ts";
import { useTestApp } from "../../../support/app.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { ANY, row, write } from "./rows.ts";

const said: string[] = [];

const test_ = useTestApp();

beforeEach(async () => {
  await test_.empty();
  said.length = 0;
});

const snapshots = () => test_.database.mongo.db.collection("catalog_snapshots");
const files = () => test_.database.mongo.db.collection("outputs.files");
const OPENED = "the catalog's index was opened from its snapshot";
const NOT_KEPT = "the catalog's index could not be kept; the next one that is built may be";
const UNUSABLE = "the catalog's snapshot cannot be used; the index is rebuilt";

/** Treats a catalog of any size as a large one. */
async function withCatalog<T>(
  use: (catalog: Catalog) => Promise<T>,
  largeFrom = 1,
  objects = test_.app.objects,
): Promise<T> {
  const note = (_about: unknown, message: string) => said.push(message);
  const log = Object.assign(Object.create(test_.app.log) as typeof test_.app.log, { info: note, warn: note });
  const catalog = createCatalog({ ...test_.app, log, objects }, { largeFrom });
  await catalog.live.start();
  try {
    return await use(catalog);
  } finally {
    await catalog.live.stop();
  }
}

const QUESTIONS = [
  {},
  { search: "lamp" },
  { search: "lantern" },
  { search: "quiet" },
  { category: "lamps" },
  { tags: ["quiet"] },
  { sort: "alphabetical" },
  { sort: "popular", facets: ["category", "tag", "status"] },
  { search: "former" },
  { search: "newer" },
];

/** Responses to many queries, with their queries. */
function answersOf(catalog: Catalog) {
  return Promise.all(
    QUESTIONS.map(async (question) => {
      // A busy machine may not prove within half a second that the index is fresh: then core says catalog_unavailable.
      const { body } = await waitFor("an answer", () => listProducts(catalog, { ...ANY, ...question }));
      const { data, ...rest } = JSON.parse(String(body)) as CatalogPageResource;
      return { question, slugs: data.map(({ slug, name }) => [slug, name]), rest };
    }),
  );
}

async function keep(): Promise<void> {
  await withCatalog(() => waitFor("the snapshot", () => snapshots().findOne({})));
}

const SHELF = [
  row("desk-lamp", { category: "lamps", tags: ["quiet"], popularity: 5 }),
  row("floor-lamp", { category: "lamps", popularity: 9 }),
  row("former-lamp", { category: "lamps" }),
  row("draft-lamp", { status: "draft" }),
  row("chair", { tags: ["quiet"] }),
];

async function stock(): Promise<void> {
  await write(test_.app, SHELF);
  await putCategory(test_.app, { slug: "lamps", name: "Lamps", parent: "" });
  await putTag(test_.app, { slug: "quiet", name: "Quiet" });
}

test("a snapshot is opened with all later changes: products, removals and names", async () => {
  await stock();
  await keep();
  await write(test_.app, [
    row("desk-lamp", { category: "lamps", name: "Newer desk lamp", popularity: 20 }),
    row("sofa", { tags: ["quiet"], popularity: 30 }),
    row("draft-lamp", { status: "published", category: "lamps" }),
  ]);
  await setProductStatus(test_.app, "former-lamp", "archived");
  await putCategory(test_.app, { slug: "lamps", name: "Lanterns", parent: "" });
  const opened = await withCatalog(answersOf);
  expect(said.filter((message) => message === OPENED)).toHaveLength(1);

  await snapshots().deleteMany({});
  said.length = 0;
  expect(opened).toEqual(await withCatalog(answersOf));
  expect(said).not.toContain(OPENED);
  const slugsOf = (question: object) =>
    opened.find((one) => one.question === question)?.slugs.map(([slug]) => slug);
  expect(slugsOf(QUESTIONS[2] as object)).toContain("floor-lamp");
  expect(slugsOf(QUESTIONS[8] as object)).toEqual([]);
  expect(slugsOf(QUESTIONS[9] as object)).toEqual(["desk-lamp"]);
});

test("a snapshot follows the catalog from then on", async () => {
  await stock();
  await keep();
  await withCatalog(async (catalog) => {
    const { version } = catalog.live.state();
    await write(test_.app, [row("late-lamp", { name: "Newer still" })]);
    await waitFor("the write", () => catalog.live.state().version > version);
    const answers = await answersOf(catalog);
    expect(answers.at(-1)?.slugs).toEqual([["late-lamp", "Newer still"]]);
  });
});

const chunks = () =>
  test_.database.mongo.db.collection<{ _id: string; data: { buffer: Buffer } }>("outputs.chunks");

async function damage(fileId: string): Promise<void> {
  const [chunk] = await chunks().find({ files_id: fileId }).sort({ n: -1 }).toArray();
  const bytes = Buffer.from(chunk?.data.buffer ?? "");
  bytes[bytes.length - 9] = (bytes[bytes.length - 9] ?? 0) ^ 1;
  await chunks().updateOne({ _id: chunk?._id ?? "" }, { $set: { data: bytes as never } });
}

test("a snapshot that is damaged, missing or from another database is rebuilt, stored again, and reported", async () => {
  await stock();
  await keep();
  const expected = await withCatalog(answersOf);
  const fileId = async () => String((await snapshots().findOne({}))?.["file_id"]);
  for (const spoil of [
    damage,
    (id: string) => files().deleteOne({ _id: id as never }),
    () => snapshots().updateMany({}, { $set: { epoch: "another" } }),
  ]) {
    const before = await fileId();
    await spoil(before);
    said.length = 0;
    await withCatalog(async (catalog) => {
      expect(await answersOf(catalog)).toEqual(expected);
      expect(said).toEqual([UNUSABLE]);
      await waitFor("another snapshot", async () => (await fileId()) !== before);
    });
  }
});

test("the snapshot of the newest version is kept, and the one before is removed", async () => {
  await stock();
  await keep();
  const first = await snapshots().findOne({});
  const snapshot = (version: number) => ({
    base: createBaseBuilder().finish(),
    epoch: String(first?.["epoch"]),
    version,
    names: { categories: new Map(), tags: new Map() },
  });
  const { signal } = new AbortController();
  const { app } = test_;
  await keepSnapshot(app, snapshot(Number(first?.["version"]) - 1), signal);
  expect(await snapshots().findOne({})).toEqual(first);
  await keepSnapshot(app, snapshot(Number(first?.["version"]) + 1), signal);
  const second = await snapshots().findOne({});
  expect(second?.["version"]).toBe(Number(first?.["version"]) + 1);
  const expiryOf = async (file: unknown) =>
    (await files().findOne({ _id: file as never }))?.["metadata"]?.expires_at as Date | undefined;
  expect(await expiryOf(second?.["file_id"])).toBeUndefined();
  expect((await expiryOf(first?.["file_id"]))?.getTime()).toBeLessThanOrEqual(app.clock.now().getTime());
});

test("a snapshot that cannot be stored is tried once, because each attempt leaves its bytes for a day", async () => {
  await stock();
  let attempts = 0;
  const away = {
    put: () => {
      attempts++;
      return Promise.reject(new ObjectStoreError("the object store is away"));
    },
  } as unknown as ObjectStore;
  await withCatalog(
    async (catalog) => {
      await waitFor("the attempt", () => said.includes(NOT_KEPT));
      // Long enough for two further checks.
      await delay(1_200);
      expect(attempts).toBe(1);
      expect((await answersOf(catalog))[0]?.slugs).toHaveLength(4);
    },
    1,
    away,
  );
  expect(await snapshots().countDocuments()).toBe(0);
});

test("a snapshot of a small catalog is not stored, without a log line", async () => {
  await stock();
  await withCatalog(answersOf, 12_000);
  expect(await snapshots().countDocuments()).toBe(0);
  expect(said).toEqual([]);
});
