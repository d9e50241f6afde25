// One customer's costliest searches, many in parallel without a pause, next to another customer's plain requests.
import { beforeAll, expect, test } from "vitest";
import { CATALOG_FACETS } from "../../proto/resources/product.ts";
import { importRows, row } from "../core/shop/catalog/rows.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";

const FLOOD = 50;
const PRODUCTS = 1_500;
const ROUNDS = 5;
/** How many searches may be answered while a plain request waits: those in flight before it, at each of two processes, twice over. */
const MOST_AHEAD = 4 * FLOOD;
/** As many as a search corrects. */
const WORDS = ["harbour", "lantern", "orchard", "thunder"];
const LETTERS = 26;

const service = sharedByTests(() => startWholeService({ worker: false }));
beforeAll(async () => {
  const rows = Array.from({ length: PRODUCTS }, (_, i) =>
    row(`kit-${i}`, {
      name: `${WORDS.map((word) => `${word}${i % 50}`).join(" ")} ${i}`,
      category: `shelf-${i % 30}`,
      tags: [`tag-${i % 200}`, `more-${i % 90}`],
    }),
  );
  for (let from = 0; from < rows.length; from += 500) {
    await importRows(service.core, rows.slice(from, from + 500));
  }
  await waitFor("the products", async () => (await search(misspelt(0))).total > 0);
});

async function search(words: string): Promise<{ status: number; total: number }> {
  const query = new URLSearchParams({ search: words, facets: CATALOG_FACETS.join(","), pageSize: "50" });
  const path = `/api/catalog?${query.toString()}`;
  return waitFor("the search", async () => {
    const { status, body } = await service.call<{ total: number; code?: string }>(path);
    return !isUnavailable(body) && { status, total: body.total };
  });
}

/** Asked again, as clients do: a busy machine may not prove within half a second that the index is fresh. */
function isUnavailable(body?: { code?: string }): boolean {
  return body?.code === "catalog_unavailable";
}

/** Misspelt words, different in each search so that none is cached. Each finds its product. */
function misspelt(n: number): string {
  return WORDS.map((word, i) => {
    const letter = String.fromCharCode(97 + (Math.floor(n / LETTERS ** i) % LETTERS));
    return `${word.slice(0, 3)}${letter}${word.slice(4)}${n % 50}`;
  }).join(" ");
}

test("plain requests of another customer are all answered in turn next to 50 costly searches in flight", async () => {
  let searched = 0;
  let isOver = false;
  const unanswered: unknown[] = [];
  const flood = Array.from({ length: FLOOD }, async (_, client) => {
    for (let n = client; !isOver; n += FLOOD) {
      const { status, total } = await search(misspelt(n));
      searched += 1;
      if (status !== 200 || total === 0) unanswered.push({ words: misspelt(n), status, total });
    }
  });
  await waitFor("the flood", async () => searched >= FLOOD);
  const waits: { path: string; status: number; ahead: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const path of ["/api/plans", "/api/catalog/kit-7", "/api/catalog", "/docs"]) {
      const wait = await waitFor(path, async () => {
        const before = searched;
        const { status, body } = await service.call<{ code?: string }>(path);
        return !isUnavailable(body) && { path, status, ahead: searched - before };
      });
      waits.push(wait);
    }
  }
  isOver = true;
  await Promise.all(flood);
  expect(unanswered).toEqual([]);
  expect(waits.filter(({ status, ahead }) => status !== 200 || ahead > MOST_AHEAD)).toEqual([]);
});
