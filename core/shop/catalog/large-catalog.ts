// Work for a large catalog after its index answers: a copy of the index in the file store, and the texts of its products in memory, from
// their file or else from the products. Nothing waits for either; until there are texts, products are read from the database.
import type { Base } from "./index/base.ts";
import type { JsonCache } from "./json-cache.ts";
import type { ProductTexts } from "./product-texts.ts";
import { runThread } from "./run-thread.ts";
import { keepSnapshot, keepTexts, openTexts, type Snapshot, type SnapshotApp } from "./snapshot.ts";
import type { TextsOrder } from "./texts-thread.ts";

/** An index and the JSON that belongs to it. */
export type LargeView = {
  readonly snapshot: Snapshot;
  readonly json: JsonCache;
  /** The hash of the file that the index was read from; undefined if it was built from the products. */
  readonly sha256: string | undefined;
};

export type LargeCatalog = {
  /** Announces the index that answers from now on, instead of the one before. */
  note(view: LargeView): void;
  /** Stores the index that was built last. Tried once: it is large, and every attempt leaves bytes for the sweep. */
  keepIndex(signal: AbortSignal): Promise<void>;
  /** Loads the texts of the last index. Rejects if the database is unavailable, and may then be called again. */
  loadTexts(signal: AbortSignal): Promise<void>;
};

export function createLargeCatalog(app: SnapshotApp, baseUrl: string): LargeCatalog {
  let built: LargeView | undefined;
  let lacksTexts: (LargeView & { readonly wasBuilt: boolean }) | undefined;

  /** Undefined if it could not be stored. */
  async function orTold<T>(what: string, keeping: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
    try {
      return await keeping;
    } catch (error) {
      if (!signal.aborted)
        app.log.warn(
          { err: error },
          `the catalog's ${what} could not be kept; the next one that is built may be`,
        );
      return undefined;
    }
  }

  return {
    note: (view) => {
      if (view.sha256 === undefined) built = view;
      else lacksTexts = { ...view, wasBuilt: false };
    },
    keepIndex: async (signal) => {
      const view = built;
      built = undefined;
      if (!view) return;
      const sha256 = await orTold("index", keepSnapshot(app, view.snapshot, signal), signal);
      lacksTexts = { ...view, sha256, wasBuilt: true };
    },
    loadTexts: async (signal) => {
      const view = lacksTexts;
      if (!view) return;
      const { snapshot, json, sha256, wasBuilt } = view;
      const { base, epoch, version } = snapshot;
      const found =
        sha256 === undefined || wasBuilt
          ? undefined
          : await openTexts(app, { epoch, index: sha256, baseUrl }, signal);
      const texts = found ?? (await makeTexts(app, base, baseUrl, signal));
      json.useTexts(texts, base.versions);
      if (lacksTexts === view) lacksTexts = undefined;
      if (found || sha256 === undefined) return;
      await orTold(
        "texts",
        keepTexts(app, texts, { epoch, version, index: sha256, baseUrl }, signal),
        signal,
      );
    },
  };
}

function makeTexts(
  { mongo }: SnapshotApp,
  { count, ids, idTable, versions }: Base,
  baseUrl: string,
  signal: AbortSignal,
): Promise<ProductTexts> {
  const order: TextsOrder = {
    uri: mongo.uri,
    database: mongo.db.databaseName,
    baseUrl,
    base: { count, ids, idTable, versions },
  };
  return runThread<ProductTexts>("texts-thread.ts", "atelier-catalog-texts", order, signal);
}
