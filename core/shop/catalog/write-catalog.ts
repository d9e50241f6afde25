// The one way to write to the catalog: a transaction that moves the counter exactly when something public changed.
import { randomBytes } from "node:crypto";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { decideEdit } from "./rules.ts";
import {
  ensureCatalogState,
  findCatalogState,
  type ProductDoc,
  setCatalogVersion,
  writeProducts,
} from "./store.ts";

type WantedProduct = { readonly before: ProductDoc | undefined; readonly wanted: ProductDoc };

export type Plan<T> = {
  readonly answer: T;
  readonly products?: readonly WantedProduct[];
  /** Further writes, once the counter is read. */
  readonly write?: (tx: TxContext) => Promise<void>;
  /** Moves the counter although no product changes, because search results may change. */
  readonly isPublic?: boolean;
};

type Written<T> = {
  readonly answer: T;
  readonly version: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
};

/** `plan` reads and decides through the session, and may run more than once. `dryRun` does everything except the writing. */
export async function writeCatalog<T>(
  app: Pick<App, "mongo" | "clock">,
  plan: (tx: TxContext) => Promise<Plan<T>>,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<Written<T>> {
  return inTx(app, async (tx) => {
    const version = (await findCatalogState(app.mongo.db, tx))?.version ?? 0;
    const { answer, products = [], write, isPublic = false } = await plan(tx);
    const added: ProductDoc[] = [];
    const replaced: ProductDoc[] = [];
    let moves = isPublic;
    for (const { before, wanted } of products) {
      const edit = decideEdit(before, wanted, { now: tx.now, version: version + 1 });
      if (edit.kind === "none") continue;
      (before ? replaced : added).push(edit.product);
      moves ||= edit.kind === "public";
    }
    const counts = {
      created: added.length,
      updated: replaced.length,
      unchanged: products.length - added.length - replaced.length,
    };
    if (dryRun) return { answer, version, ...counts };
    await write?.(tx);
    await writeProducts(app.mongo.db, { added, replaced }, tx);
    // This is the last write, so that the change stream has the version after everything that belongs to it.
    if (moves) await setCatalogVersion(app.mongo.db, { version: version + 1 }, tx);
    return { answer, version: moves ? version + 1 : version, ...counts };
  });
}

/** Safe to run again and in several processes at the same time. */
export async function prepareCatalog(app: Pick<App, "mongo">): Promise<void> {
  await ensureCatalogState(app.mongo.db, newEpoch());
}

export function newEpoch(): string {
  return randomBytes(4).toString("hex");
}
