// The database is killed while clients read the catalog at two gateways: correct responses or catalog_unavailable, no old data, no hang.
import { onTestFinished, test, expect } from "vitest";
import type { CatalogPageResource } from "../../proto/resources/product.ts";
import { importRows, row } from "../core/shop/catalog/rows.ts";
import type { HttpCalls } from "../support/http-calls.ts";
import { startOwnMongod } from "../support/own-mongod.ts";
import { expectPrompt } from "../support/prompt.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";

const READERS = 8;
/** The catalog's own deadline, plus a margin for a busy machine. */
const ANSWER_BOUND_MS = 5_000;
const STALE_MS = 1_000;

type Seen = { askedMs: number; tookMs: number; status: number; code: string; total: number };

test("kill -9 of the database under load: both gateways answer correctly or refuse, and catch up within a second", async () => {
  const mongod = await startOwnMongod();
  const service = await startWholeService({ mongodbUri: mongod.uri, worker: false });
  onTestFinished(() => service.close());
  const faces = [service, await service.openEdge({})];
  const written: { atMs: number; total: number }[] = [];
  const add = async () => {
    const total = written.length + 1;
    await importRows(service.core, [row(`icon-${total}`)]);
    written.push({ atMs: performance.now(), total });
  };
  const seen: Seen[] = [];
  let isOver = false;
  const read = async (face: HttpCalls) => {
    while (!isOver) {
      const askedMs = performance.now();
      const { status, body } = await face.call<CatalogPageResource & { code?: string }>("/api/catalog");
      seen.push({
        askedMs,
        tookMs: performance.now() - askedMs,
        status,
        code: body.code ?? "",
        total: body.total,
      });
    }
  };
  const showsAll = () =>
    waitFor(
      "both gateways to show everything",
      async () => {
        const pages = await Promise.all(faces.map((face) => face.call<CatalogPageResource>("/api/catalog")));
        return pages.every(({ body }) => body.total === written.length);
      },
      20_000,
    );

  await add();
  await showsAll();
  let killedMs = 0;
  let backMs = 0;
  const readers = Array.from({ length: READERS }, (_, i) => read(faces[i % faces.length] ?? service));
  try {
    await add();
    await showsAll();
    killedMs = performance.now();
    await mongod.killAndComeBack();
    backMs = performance.now();
    await waitFor(
      "a write to be taken again",
      () =>
        add().then(
          () => true,
          () => false,
        ),
      20_000,
    );
    await showsAll();
    await add();
    await showsAll();
  } finally {
    isOver = true;
    await Promise.all(readers);
  }

  // Memory still serves, so there need not be a refusal; but there must have been requests.
  expect(seen.some(({ askedMs }) => askedMs > killedMs && askedMs < backMs)).toBe(true);
  const refused = seen.filter(({ status }) => status !== 200);
  expect(refused.every(({ status, code }) => status === 500 && code === "catalog_unavailable")).toBe(true);
  for (const { askedMs, total, status } of seen) {
    const known = written.filter(({ atMs }) => atMs < askedMs - STALE_MS).at(-1)?.total ?? 0;
    if (status === 200) expect(total).toBeGreaterThanOrEqual(known);
  }
  const slowestMs = Math.max(...seen.map(({ tookMs }) => tookMs));
  expectPrompt(slowestMs, ANSWER_BOUND_MS);
  console.log(
    `${seen.length} answers, ${refused.length} of them refusals, the slowest after ${Math.round(slowestMs)} ms`,
  );
});
