// Reads a whole ledger from its first entry on, archived entries first.
import type { App } from "../../kernel/app.ts";
import { ledgerSegmentAfter } from "../../kernel/archive/find-segments.ts";
import { readSegment } from "../../kernel/archive/read-segment.ts";
import { joinEntry } from "./archive-rules.ts";
import { findEntriesAfter, type LedgerDoc } from "./store.ts";

const ENTRIES_PER_BATCH = 1_000;

/** Not one snapshot: entries that are written during the read follow at the end. None is left out, even if it is archived during the read. */
export async function* replayLedger(app: App, accountId: string): AsyncGenerator<LedgerDoc> {
  for (let seq = 0; ;) {
    const live = await findEntriesAfter(app.mongo.db, { accountId, afterSeq: seq }, ENTRIES_PER_BATCH);
    const isNext = live[0]?.seq === seq + 1;
    const segment = isNext ? undefined : await ledgerSegmentAfter(app, accountId, seq);
    const next = isNext ? live : segment ? (await readSegment(app, segment)).map(joinEntry) : [];
    for (const entry of next) {
      if (entry.seq <= seq) continue;
      yield entry;
      seq = entry.seq;
    }
    if (next.length === 0) return;
  }
}
