// Removes the uncounted parts of a deleted account's archive. Files with text are removed. Files with facts normally stay; if one has a
// field that is not counted, which earlier releases left there, another file replaces it.
import { type Fields, splitFields } from "../../base/documents/fields.ts";
import { encodeDocuments, type Stored } from "../../base/mongo/bson.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import type { App } from "../app.ts";
import { keepPermanently, letGo } from "../outputs/keep.ts";
import { readSegment } from "./read-segment.ts";
import { NO_SEGMENT } from "./rules.ts";
import { packFacts } from "./segment-file.ts";
import {
  findAllSegments,
  findSegmentsWithWords,
  replaceFacts,
  saveWordsErased,
  type Segment,
  type SegmentFile,
} from "./store.ts";
import { keepVerified } from "./write-segment.ts";

type Erased = { readonly segment: Segment; readonly facts: SegmentFile; readonly previous: string };

/** Another process has erased these facts in the meantime. */
class FactsMoved extends Error {
  override readonly name = "FactsMoved";
}

/**
 * Safe to repeat, and safe in several processes at the same time. From the moment at which a record says so, the next sweep of files
 * removes the bytes. Returns whether all facts were found in their final form. Otherwise they are checked again later: a segment that was
 * written in the meantime follows the hash of the one before it.
 */
export async function forgetArchived(
  app: App,
  accountId: string,
  fieldsOf: ReadonlyMap<string, Fields>,
): Promise<boolean> {
  const { db } = app.mongo;
  for (const { _id, words } of await findSegmentsWithWords(db, accountId))
    await inTx(app, async (tx) => {
      await saveWordsErased(db, _id, tx.now, tx);
      if (words) await letGo(app, words.file_id, tx.now, tx);
    });
  let isClean = true;
  for (const [kind, segments] of Map.groupBy(await findAllSegments(db, accountId), (one) => one.kind)) {
    const fields = fieldsOf.get(kind);
    if (!fields) throw new Error(`no slice says what the fields of archived ${kind} are`);
    const erased = await eraseFacts(app, segments, fields);
    if (erased.length === 0) continue;
    isClean = false;
    await saveAll(app, erased);
  }
  return isClean;
}

/** Writes the files that replace others. `segments` are all of one kind, in order: each names the hash of the one before. */
async function eraseFacts(app: App, segments: readonly Segment[], fields: Fields): Promise<Erased[]> {
  const erased: Erased[] = [];
  let previous = NO_SEGMENT;
  for (const segment of segments) {
    const stored = (await readSegment(app, segment)).map((row) => row.facts);
    const counted = stored.map((facts) => splitFields(facts, fields).counted);
    let { facts } = segment;
    if (segment.previous !== previous || !encodeDocuments(counted).equals(encodeDocuments(stored))) {
      facts = await keepFacts(app, { ...segment, previous }, counted);
      erased.push({ segment, facts, previous });
    }
    previous = facts.sha256;
  }
  return erased;
}

/** The file expires in a day unless its segment names it. */
async function keepFacts(app: App, segment: Segment, rows: readonly Stored[]): Promise<SegmentFile> {
  const { _id, account_id, kind, number, first, last, from, until, previous, cut, words } = segment;
  const header = { account_id, kind, number, first, last, rows: rows.length, from, until, previous };
  const packed = await packFacts({ ...header, ...(cut && { cut }) }, words?.sha256 ?? null, rows);
  return keepVerified(app, { account_id, segment: _id }, `${_id}.facts`, packed);
}

/** All are replaced in one step, because between two steps the chain would be broken. */
async function saveAll(app: App, erased: readonly Erased[]): Promise<void> {
  try {
    await inTx(app, async (tx) => {
      for (const { segment, facts, previous } of erased) {
        if (!(await replaceFacts(app.mongo.db, segment, { facts, previous }, tx)))
          throw new FactsMoved(`the facts of ${segment._id} were replaced`);
        await keepPermanently(app, facts.file_id, tx);
        await letGo(app, segment.facts.file_id, tx.now, tx);
      }
    });
  } catch (error) {
    if (!(error instanceof FactsMoved)) throw error;
  }
}
