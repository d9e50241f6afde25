// Reads archived entries with the queries of the live ledger.
import { decodeTime } from "ulid";
import { withoutPrefix } from "../../../runtime/clock.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { readAbout, readAboutGrantKey } from "../../kernel/archive/find-segments.ts";
import { joinEntry } from "./archive-rules.ts";
import { jobOfEntry, subjectOf } from "./entry-id.ts";
import type { LedgerDoc } from "./store.ts";

/** A job's id contains its creation time, by the clock of its process. */
const CLOCK_SLACK_MS = 60 * 60 * 1000;

/** All archived entries of these jobs and holds. */
export async function findArchivedEntriesOf(
  app: App,
  accountId: string,
  subjects: readonly string[],
): Promise<LedgerDoc[]> {
  if (subjects.length === 0) return [];
  const oldest = Math.min(...subjects.map((id) => decodeTime(withoutPrefix(id))));
  const since = new Date(oldest - CLOCK_SLACK_MS);
  const wanted = new Set(subjects);
  const rows = await readAbout(app, { accountId, kind: "ledger", since }, subjects);
  return rows.map(joinEntry).filter((entry) => wanted.has(subjectOf(entry) ?? ""));
}

export async function findArchivedEntry(
  app: App,
  { accountId, entryId }: { accountId: string; entryId: string },
): Promise<LedgerDoc | undefined> {
  const about = subjectOf({ _id: entryId, job_id: jobOfEntry(entryId) ?? null }) ?? entryId;
  const rows = await readAbout(app, { accountId, kind: "ledger" }, [about]);
  return rows.map(joinEntry).find(({ _id }) => _id === entryId);
}

export async function findArchivedGrant(
  app: App,
  accountId: string,
  grantKey: string,
  tx: TxContext,
): Promise<LedgerDoc | undefined> {
  const rows = await readAboutGrantKey(app, accountId, grantKey, tx);
  return rows.map(joinEntry).find(({ grant_key }) => grant_key === grantKey);
}
