// The built index of a large catalog in the file store, so that a core that starts opens it in seconds and reads only what has changed
// since. It is nothing but a copy: whatever is wrong with it is said once, and the index is built from the products.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { endianness } from "node:os";
import { fileURLToPath } from "node:url";
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import { keepBytes, keepForGood, letGo, readKept } from "../../kernel/outputs/keep.ts";
import type { Base } from "./index/base.ts";
import { readBase, writeBase } from "./index/base-file.ts";
import type { TaxonomyNames } from "./indexed-product.ts";
import {
  deleteSnapshot,
  findOldSnapshots,
  findSnapshot,
  putSnapshot,
  type SnapshotDoc,
} from "./store-snapshots.ts";

export type SnapshotApp = Pick<App, "mongo" | "objects" | "clock" | "log" | "newId">;

/** An index and the state of the catalog that all of it has reached. */
export type Snapshot = {
  readonly base: Base;
  readonly epoch: string;
  readonly version: number;
  readonly names: TaxonomyNames;
};

/** What the header of the file says beside the arrays. */
type About = {
  readonly epoch: string;
  readonly version: number;
  readonly categories: readonly [string, { name: string; parent: string | null }][];
  readonly tags: readonly [string, string][];
};

const MIME_TYPE = "application/octet-stream";
const MAX_BYTES = 2 ** 34;
/** A release that is not running any more leaves its snapshot behind; one that is rolled back to finds it for so long. */
const OTHERS_KEPT_MS = 7 * 24 * 3_600_000;

/** Undefined where there is none of this code and epoch, or it cannot be read; then that is logged. Rejects with the signal's reason. */
export async function openSnapshot(
  app: SnapshotApp,
  epoch: string,
  signal: AbortSignal,
): Promise<Snapshot | undefined> {
  const found = await findSnapshot(app.mongo.db, codeOfIndex());
  if (!found) return undefined;
  try {
    if (found.epoch !== epoch) throw new Error("is of another database");
    const { base, about } = await readBase(verified(app, found, signal));
    const { categories, tags, version } = about as About;
    return { base, epoch, version, names: { categories: new Map(categories), tags: new Map(tags) } };
  } catch (error) {
    signal.throwIfAborted();
    app.log.warn(
      { err: error, file: found.file_id },
      "the catalog's snapshot cannot be used; the index is rebuilt",
    );
    return undefined;
  }
}

/** Keeps it, unless a newer one is kept already. Rejects if the database or the file store is away, or with the signal's reason. */
export async function keepSnapshot(app: SnapshotApp, snapshot: Snapshot, signal: AbortSignal): Promise<void> {
  const { base, epoch, version, names } = snapshot;
  const code = codeOfIndex();
  const about: About = { epoch, version, categories: [...names.categories], tags: [...names.tags] };
  const fileId = app.newId("fil");
  const kept = await keepBytes(
    app,
    {
      fileId,
      owner: { catalog_snapshot: code },
      name: `catalog-${version}.index`,
      mimeType: () => MIME_TYPE,
      maxBytes: MAX_BYTES,
      tooLarge: () => new AppError("internal", { message: "The index is too large to be kept." }),
    },
    untilAborted(writeBase(base, about), signal),
  );
  const doc: SnapshotDoc = {
    _id: code,
    epoch,
    version,
    products: base.count,
    file_id: fileId,
    bytes: kept.bytes,
    sha256: kept.sha256,
    made_at: app.clock.now(),
  };
  await inTx({ mongo: app.mongo, now: doc.made_at }, async (tx) => {
    const before = await findSnapshot(app.mongo.db, code, tx);
    // Another core was faster. The file that nobody names goes with the next sweep.
    if (before && before.epoch === epoch && before.version > version) return;
    await putSnapshot(app.mongo.db, doc, tx);
    await keepForGood(app, fileId, tx);
    if (before) await letGo(app, before.file_id, doc.made_at, tx);
    const others = { code, before: new Date(doc.made_at.getTime() - OTHERS_KEPT_MS) };
    for (const other of await findOldSnapshots(app.mongo.db, others, tx)) {
      await letGo(app, other.file_id, doc.made_at, tx);
      await deleteSnapshot(app.mongo.db, other._id, tx);
    }
  });
}

async function* verified(
  app: SnapshotApp,
  found: SnapshotDoc,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  for await (const piece of readKept(app, found.file_id, { offset: 0, length: found.bytes })) {
    signal.throwIfAborted();
    hash.update(piece);
    yield piece;
  }
  if (hash.digest("hex") !== found.sha256) throw new Error("is damaged");
}

async function* untilAborted(pieces: Iterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    signal.throwIfAborted();
    yield piece;
  }
}

let code: string | undefined;

/**
 * Names everything that decides what the arrays hold: the sources that make them, the Unicode tables that fold words, the byte order. So a
 * release that changes any of it cannot read what another has kept, and nobody has to think of a number.
 */
function codeOfIndex(): string {
  if (code !== undefined) return code;
  const hash = createHash("sha256");
  for (const source of sourcesOfIndex()) hash.update(readFileSync(source));
  hash.update(`${process.versions["unicode"]} ${endianness()}`);
  code = hash.digest("hex").slice(0, 16);
  return code;
}

function sourcesOfIndex(): string[] {
  const folder = fileURLToPath(new URL("index/", import.meta.url));
  return [
    ...readdirSync(folder)
      .sort()
      .map((name) => folder + name),
    ...["indexed-product.ts", "rules.ts", "../../../proto/resources/product.ts"].map((path) =>
      fileURLToPath(new URL(path, import.meta.url)),
    ),
  ];
}
