// The built index of a large catalog and its products' texts in two files of the file store, so that a starting core opens the index in
// seconds, reads only later changes, and has the texts a little later. They are only copies: whatever is wrong with one is reported once,
// and it is made from the products.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { endianness } from "node:os";
import { fileURLToPath } from "node:url";
import { AppError } from "../../../proto/codes.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { keepBytes, keepPermanently, letGo, readKept } from "../../kernel/outputs/keep.ts";
import { type Arrays, readArrays, writeArrays } from "./index/arrays-file.ts";
import type { Base } from "./index/base.ts";
import type { TaxonomyNames } from "./indexed-product.ts";
import type { ProductTexts } from "./product-texts.ts";
import {
  deleteSnapshot,
  findOldSnapshots,
  findSnapshot,
  putSnapshot,
  type SnapshotDoc,
} from "./store-snapshots.ts";

export type SnapshotApp = Pick<App, "mongo" | "objects" | "clock" | "log" | "newId">;

/** An index, and the state of the catalog that all of it has reached. */
export type Snapshot = {
  readonly base: Base;
  readonly epoch: string;
  readonly version: number;
  readonly names: TaxonomyNames;
};

/** `sha256` is the hash of its file. */
export type KeptSnapshot = Snapshot & { readonly sha256: string };

/** The header of the file in addition to the arrays. */
type About = {
  readonly epoch: string;
  readonly version: number;
  readonly categories: readonly [string, { name: string; parent: string | null }][];
  readonly tags: readonly [string, string][];
};

const MIME_TYPE = "application/octet-stream";
const MAX_BYTES = 2 ** 34;
/** A release that no longer runs leaves its snapshot behind; a rollback finds it for this long. */
const OTHERS_KEPT_MS = 7 * 24 * 3_600_000;

/** Undefined if there is none of this code and epoch, or it cannot be read; then that is logged. Rejects with the signal's reason. */
export async function openSnapshot(
  app: SnapshotApp,
  epoch: string,
  signal: AbortSignal,
): Promise<KeptSnapshot | undefined> {
  const found = await openFile(app, codeOfIndex(), { epoch, consequence: "the index is rebuilt" }, signal);
  if (!found) return undefined;
  const { categories, tags, version } = found.about as About;
  const names = { categories: new Map(categories), tags: new Map(tags) };
  return { base: found.arrays as Base, epoch, version, names, sha256: found.sha256 };
}

/**
 * Stores it, unless a newer one is stored already, and returns its hash. Rejects if the database or the file store is unavailable, or with
 * the signal's reason.
 */
export async function keepSnapshot(
  app: SnapshotApp,
  { base, epoch, version, names }: Snapshot,
  signal: AbortSignal,
): Promise<string> {
  const about: About = { epoch, version, categories: [...names.categories], tags: [...names.tags] };
  return keepFile(app, { id: codeOfIndex(), name: "index", epoch, version, arrays: base, about }, signal);
}

/** The index that the texts in a file belong to. */
type AboutTexts = { readonly index: string; readonly baseUrl: string };

/** The texts for the stored index with this hash; errors as with openSnapshot. */
export async function openTexts(
  app: SnapshotApp,
  { epoch, index, baseUrl }: AboutTexts & Pick<Snapshot, "epoch">,
  signal: AbortSignal,
): Promise<ProductTexts | undefined> {
  const wanted = { epoch, consequence: "the texts are made again" };
  const found = await openFile(app, codeOfTexts(), wanted, signal);
  if (!found) return undefined;
  const about = found.about as AboutTexts;
  return about.index === index && about.baseUrl === baseUrl ? (found.arrays as ProductTexts) : undefined;
}

/** Errors as with keepSnapshot. */
export async function keepTexts(
  app: SnapshotApp,
  texts: ProductTexts,
  { epoch, version, ...about }: AboutTexts & Pick<Snapshot, "epoch" | "version">,
  signal: AbortSignal,
): Promise<void> {
  await keepFile(app, { id: codeOfTexts(), name: "texts", epoch, version, arrays: texts, about }, signal);
}

type OpenedFile = { readonly arrays: Arrays; readonly about: unknown; readonly sha256: string };

async function openFile(
  app: SnapshotApp,
  id: string,
  { epoch, consequence }: { epoch: string; consequence: string },
  signal: AbortSignal,
): Promise<OpenedFile | undefined> {
  const found = await findSnapshot(app.mongo.db, id);
  if (!found) return undefined;
  try {
    if (found.epoch !== epoch) throw new Error("is of another database");
    return { ...(await readArrays(verified(app, found, signal))), sha256: found.sha256 };
  } catch (error) {
    signal.throwIfAborted();
    app.log.warn(
      { err: error, file: found.file_id },
      `the catalog's snapshot cannot be used; ${consequence}`,
    );
    return undefined;
  }
}

type FileToKeep = Pick<Snapshot, "epoch" | "version"> & {
  /** The size in its document. */
  readonly id: string;
  readonly name: string;
  readonly arrays: Arrays;
  readonly about: unknown;
};

async function keepFile(app: SnapshotApp, wanted: FileToKeep, signal: AbortSignal): Promise<string> {
  const { id, name, epoch, version, arrays, about } = wanted;
  const fileId = app.newId("fil");
  const kept = await keepBytes(
    app,
    {
      fileId,
      owner: { catalog_snapshot: id },
      name: `catalog-${version}.${name}`,
      mimeType: () => MIME_TYPE,
      maxBytes: MAX_BYTES,
      tooLarge: () => new AppError("internal", { message: "The index is too large to be kept." }),
    },
    untilAborted(writeArrays(arrays, about), signal),
  );
  const doc: SnapshotDoc = {
    _id: id,
    epoch,
    version,
    products: arrays.count,
    file_id: fileId,
    bytes: kept.bytes,
    sha256: kept.sha256,
    made_at: app.clock.now(),
  };
  await inTx({ mongo: app.mongo, now: doc.made_at }, async (tx) => {
    const before = await findSnapshot(app.mongo.db, id, tx);
    // Another core was faster. The next sweep removes the file that no one names.
    if (before && before.epoch === epoch && before.version > version) return;
    await putSnapshot(app.mongo.db, doc, tx);
    await keepPermanently(app, fileId, tx);
    if (before) await letGo(app, before.file_id, doc.made_at, tx);
    const ours = [codeOfIndex(), codeOfTexts()];
    const others = { ours, before: new Date(doc.made_at.getTime() - OTHERS_KEPT_MS) };
    for (const other of await findOldSnapshots(app.mongo.db, others, tx)) {
      await letGo(app, other.file_id, doc.made_at, tx);
      await deleteSnapshot(app.mongo.db, other._id, tx);
    }
  });
  return kept.sha256;
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
 * Names everything that determines the arrays of the index and the texts: the sources that make them, the Unicode tables that fold words,
 * and the byte order. A release that changes any of it cannot read what another has stored, and no version number needs to be maintained.
 */
function codeOfIndex(): string {
  if (code !== undefined) return code;
  const hash = createHash("sha256");
  for (const source of sourcesOfIndex()) hash.update(readFileSync(source));
  hash.update(`${process.versions["unicode"]} ${endianness()}`);
  code = hash.digest("hex").slice(0, 16);
  return code;
}

function codeOfTexts(): string {
  return `${codeOfIndex()}.texts`;
}

function sourcesOfIndex(): string[] {
  const folder = fileURLToPath(new URL("index/", import.meta.url));
  return [
    ...readdirSync(folder)
      .sort()
      .map((name) => folder + name),
    ...[
      "indexed-product.ts",
      "rules.ts",
      "product-json.ts",
      "product-texts.ts",
      "../../../proto/resources/product.ts",
    ].map((path) => fileURLToPath(new URL(path, import.meta.url))),
  ];
}
