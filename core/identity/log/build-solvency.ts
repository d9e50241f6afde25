// Builds the daily tree of all balances, whose total the log then states. One worker at a time; no account waits for it.
import { randomBytes } from "node:crypto";
import { inSnapshot } from "../../base/mongo/in-tx.ts";
import { inParts } from "../../base/mongo/read-some.ts";
import { again, done, extend, release, takeThese } from "../../base/work/queue.ts";
import type { App } from "../../kernel/app.ts";
import { balancesIn } from "../accounts/list-ids.ts";
import { appendEntries, HASH_BYTES, TILE_WIDTH, treeHash } from "./merkle-rules.ts";
import { currentLog } from "./read-log.ts";
import {
  findStatements,
  insertParts,
  nextToBuild,
  removeTreesBefore,
  type SolvencyDoc,
  statements,
  toBuilt,
} from "./store-solvency.ts";
import { saveTiles } from "./store.ts";
import { type Leaf, leafNode, orderOf, rootOfPart, saltOf, SUMS, sumOf } from "./sum-rules.ts";

const DAY_MS = 86_400_000;
/** A worker that is killed keeps the tree from the others for this long. */
const LEASE_MS = 600_000;
const RETRY_MS = 3_600_000;
/** Accounts whose leaves are shuffled together. A multiple of the leaves of a part. */
const WINDOW = 64 * TILE_WIDTH;

/**
 * Does nothing until the log has a checkpoint, and within a day of the last tree. Throws where a balance is below 0 or the sum above 2^53 - 1.
 * Safe to repeat, and to kill at any moment: each attempt has parts of its own, which count once its total is stored.
 */
export async function buildSolvency(app: App, signal?: AbortSignal): Promise<void> {
  const { db } = app.mongo;
  const log = await currentLog(app);
  if (!log?.checkpoint) return;
  const now = app.clock.now();
  const next = await nextToBuild(db, { log: log._id, now, dayMs: DAY_MS });
  const [taken] = next ? await takeThese(statements(db), [next._id], { now, leaseMs: LEASE_MS }) : [];
  if (!taken) return;
  try {
    const built = await buildTree(app, taken, signal);
    if (signal?.aborted) return void (await release(statements(db), taken, now));
    if (!built || !(await done(statements(db), taken, { $set: { built } }))) return;
  } catch (error) {
    await again(statements(db), taken, new Date(app.clock.now().getTime() + RETRY_MS));
    throw error;
  }
  // The one before may be the newest of which there is a checkpoint.
  const [, before] = await findStatements(db, log._id, { limit: 2 });
  if (before) await removeTreesBefore(db, before._id);
}

/** Undefined if another worker has the tree, or the process stops. */
async function buildTree(
  app: App,
  taken: SolvencyDoc,
  signal?: AbortSignal,
): Promise<SolvencyDoc["built"] | undefined> {
  const { db } = app.mongo;
  const [at, secret, tree] = [app.clock.now(), randomBytes(HASH_BYTES), `${taken._id}/${taken.work.owner}`];
  const tiles = new Map<string, Uint8Array>();
  let [accounts, parts] = [0, 0];
  const isWhole = await inSnapshot(app.mongo, async (then, snapshot) => {
    for await (const window of inParts(salted(balancesIn(then, snapshot), secret), WINDOW)) {
      const until = new Date(app.clock.now().getTime() + LEASE_MS);
      if (signal?.aborted || !(await extend(statements(db), taken, until))) return false;
      const first = window[0]?.leaf.account_id ?? "";
      window.sort((a, b) => Buffer.compare(a.salt, b.salt));
      const found = Array.from({ length: Math.ceil(window.length / TILE_WIDTH) }, (_, part) =>
        window.slice(part * TILE_WIDTH, (part + 1) * TILE_WIDTH),
      );
      await insertParts(
        db,
        { tree, first, index: parts },
        found.map((part) => ({
          order: orderOf(part[0]?.salt ?? Buffer.alloc(0)),
          leaves: part.map(({ leaf }) => leaf),
        })),
      );
      const roots = found.map((part) => rootOfPart(part.map(({ leaf, salt }) => leafNode(leaf, salt))));
      for (const [key, tile] of appendEntries(tiles, parts, roots, SUMS)) tiles.set(key, tile);
      accounts += window.length;
      parts += roots.length;
    }
    return true;
  });
  if (!isWhole || accounts === 0) return undefined;
  await saveTiles(db, tree, tiles, { name: "solvency_tiles" });
  const root = treeHash(tiles, 0, parts, SUMS);
  return toBuilt({ tree, secret, at, accounts, total: sumOf(root), root: root.slice(-HASH_BYTES) });
}

async function* salted(balances: AsyncIterable<Leaf>, secret: Uint8Array) {
  for await (const leaf of balances) yield { leaf, salt: saltOf(secret, leaf.account_id) };
}
