// The ledger as a person reads it: one row for each job with all its entries, and one for each entry without a job. Opening a row shows its
// entries.
import { holdOfEntry, type LedgerEntryResource } from "../../../proto/resources/credits.ts";
import type { JobResource } from "../../../proto/resources/job.ts";
import { ORDER_ID, orderNumber, withOrderNumbers } from "../../../proto/resources/order.ts";
import { count, credits } from "../design/format.ts";
import { icon, type IconName } from "../design/icon.ts";
import { type Children, type Markup, html } from "../design/markup.js";
import { timeAgo, timeOf } from "../design/time.ts";
import { orderPath } from "../shop/shop-paths.ts";
import { firstPicture } from "../studio/job-media.ts";
import { excerpt, MODALITY_ICONS, MODALITY_WORDS, SOURCE_WORDS } from "../studio/job-words.ts";
import { jobPath } from "../studio/paths.ts";
import { change, KIND_WORDS } from "./ledger-words.ts";

const TITLE_LENGTH = 90;
/** The number of characters of a hash that distinguishes two of them. */
const HASH_LENGTH = 12;

export type LedgerRow = {
  /** The position of the row in the ledger: an entry without job or hold, or the first entry of one. */
  readonly first: LedgerEntryResource;
  /** All entries of the row, newest first. */
  readonly entries: readonly LedgerEntryResource[];
  /** Undefined if the entries have no job, or the job cannot be read. */
  readonly job: JobResource | undefined;
};

/** `jobs` are the jobs of the entries. */
export function toRows(
  firsts: readonly LedgerEntryResource[],
  ofJobs: readonly LedgerEntryResource[],
  jobs: readonly JobResource[],
): LedgerRow[] {
  return firsts.map((first) => ({
    first,
    entries: entriesWith(first, ofJobs),
    job: jobs.find(({ job_id }) => job_id === first.job_id),
  }));
}

function entriesWith(
  first: LedgerEntryResource,
  all: readonly LedgerEntryResource[],
): readonly LedgerEntryResource[] {
  if (first.job_id !== null) return all.filter(({ job_id }) => job_id === first.job_id);
  const hold = holdOfEntry(first.entry_id);
  return hold === undefined ? [first] : all.filter(({ entry_id }) => holdOfEntry(entry_id) === hold);
}

/** With `landed`, the first row is the requested one: it is open, and the address points to it. */
export function ledgerRows(rows: readonly LedgerRow[], now: Date, landed: boolean): Markup {
  return html`<ol class="ledger">
    ${rows.map((row, i) => ledgerRow(row, now, landed && i === 0))}
  </ol>`;
}

function ledgerRow(row: LedgerRow, now: Date, isLanded: boolean): Markup {
  const { first, entries } = row;
  const { amount, words } = outcome(entries);
  const orderId = orderOf(first);
  return html`<li>
    <details class="ledger__row" id=${isLanded ? "entry" : undefined} open=${isLanded}>
      <summary>
        <span class="ledger__picture">${picture(row, now)}</span>
        <span class="clamp ledger__title">${title(row)}</span>
        <span class=${amount > 0 ? "ledger__amount ledger__amount--in" : "ledger__amount"}
          >${change(amount)}</span
        >
        <span class="ledger__facts note"> <span>${words}</span> ${timeAgo(first.created_at, now)} </span>
      </summary>
      <div class="ledger__entries">
        ${row.job && html`<p><a href=${jobPath(row.job.job_id)}>Open this ${MODALITY_WORDS[row.job.modality].toLowerCase()}</a></p>`}
        ${orderId !== undefined && html`<p><a href=${orderPath(orderId)}>Open this order</a></p>`}
        <ol class="stack stack--snug">
          ${entries.map((entry) => html`<li>${entryLine(entry)}</li>`)}
        </ol>
      </div>
    </details>
  </li>`;
}

function entryLine(entry: LedgerEntryResource): Markup {
  const { kind, seq, source, hash, created_at } = entry;
  return html`<p class="cluster cluster--apart">
      <strong>${KIND_WORDS[kind]}: ${credits(Math.abs(entry.amount || entry.hold))}</strong>
      <span>Balance ${count(entry.balance_after)}</span>
    </p>
    <p class="note">
      ${`Entry ${count(seq)} · `}${timeOf(created_at)}${` · ${SOURCE_WORDS[source] ?? source} · `}<code
        title=${hash}
        >${hash.slice(0, HASH_LENGTH)}</code
      >
    </p>`;
}

function title({ first, job }: LedgerRow): string {
  if (job && job.prompt !== "") return excerpt(job.prompt, TITLE_LENGTH);
  // The end of an id distinguishes it from others; its start is the time.
  if (first.job_id !== null) return `Job …${first.job_id.slice(-6)}`;
  const orderId = orderOf(first);
  if (orderId === undefined) return withOrderNumbers(first.memo ?? KIND_WORDS[first.kind]);
  const how = first.kind === "purchase" ? "bought" : first.amount < 0 ? "taken back" : "restored";
  return `${credits(Math.abs(first.amount))} ${how}, order ${orderNumber(orderId)}`;
}

/** The stored memo of such an entry, which its hash covers, names the order by its id. */
function orderOf({ memo }: LedgerEntryResource): string | undefined {
  const orderId = ORDER_ID.exec(memo ?? "")?.[0];
  return memo === `Order ${orderId}` ? orderId : undefined;
}

/** The change of the balance, and how it came about. */
function outcome(entries: readonly LedgerEntryResource[]): { amount: number; words: string } {
  const amount = entries.reduce((sum, entry) => sum + entry.amount, 0);
  const [last] = entries;
  if (!last) return { amount, words: "" };
  const held = entries.reduce((sum, entry) => sum + entry.hold, 0);
  const back = last.kind === "refund" || last.kind === "release";
  const price = credits(Math.max(...entries.map((entry) => Math.abs(entry.amount || entry.hold))));
  if (held > 0) return { amount, words: `${price} held` };
  return { amount, words: back ? `${price} refunded` : KIND_WORDS[last.kind] };
}

const ICONS: Readonly<Record<LedgerEntryResource["kind"], IconName>> = {
  grant: "star",
  purchase: "check",
  adjustment: "info",
  reserve: "image",
  debit: "image",
  release: "image",
  refund: "image",
  expire: "warning",
};

function picture({ first, job }: LedgerRow, now: Date): Children {
  return (job && firstPicture(job, now)) ?? icon(job ? MODALITY_ICONS[job.modality] : ICONS[first.kind]);
}
