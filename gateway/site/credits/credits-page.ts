// /credits: what the account has, what it spent, and every entry that led there.
import type { z } from "zod";
import {
  type balanceSchema,
  LEDGER_KINDS,
  type LedgerEntryResource,
} from "../../../proto/resources/credits.ts";
import { badge } from "../design/badge.ts";
import { button, linkButton } from "../design/button.ts";
import { select, textField } from "../design/field.ts";
import { count, credits, dateTime } from "../design/format.ts";
import { emptyState } from "../design/notice.ts";
import { table } from "../design/table.ts";
import { type Children, type Markup, html } from "../design/markup.js";
import type { Page } from "../layout/render-page.ts";
import { csrfField } from "../account/account-frame.ts";
import type { Person } from "../session/current-person.ts";
import { PACKS_PATH } from "../shop/shop-paths.ts";
import { SOURCE_WORDS } from "../studio/job-words.ts";
import { GENERATE_PATH, jobPath } from "../studio/paths.ts";
import { change, GRANT_WORDS, KIND_TONES, KIND_WORDS } from "./ledger-words.ts";
import { spendingChart, type SpendingView } from "./spending-chart.ts";

export const CREDITS_PATH = "/credits";
export const LOW_PATH = `${CREDITS_PATH}/low`;
export const CSV_PATH = `${CREDITS_PATH}/ledger.csv`;

/** As the form shows it; empty where nothing was chosen. */
export type LedgerFilter = { kind: string; job_id: string; from: string; to: string };

export type CreditsView = {
  person: Person;
  balance: z.output<typeof balanceSchema>;
  /** Below how many the person is told; undefined for never. */
  lowBelow: number | undefined;
  spending: SpendingView;
  entries: readonly LedgerEntryResource[];
  filter: LedgerFilter;
  /** Empty on the first page. */
  cursor: string;
  /** Empty on the last page. */
  nextCursor: string;
};

export function creditsPage(view: CreditsView): Page {
  const { person, balance, spending } = view;
  return {
    title: "Credits",
    person,
    path: CREDITS_PATH,
    styles: ["studio.css", "credits.css"],
    scripts: ["verify-chain.js"],
    body: html`<div class="stack stack--loose">
      <div class="cluster cluster--apart">
        <h1>Credits</h1>
        <p class="cluster">
          ${linkButton({ href: PACKS_PATH, label: "Buy credits", kind: "quiet" })}
          ${linkButton({ href: GENERATE_PATH, label: "Generate" })}
        </p>
      </div>
      <dl class="tiles">
        ${tile("Available", balance.available, "to spend now", true)}
        ${tile("Held", balance.held, "for jobs that wait")}
        ${tile("Balance", balance.balance, "held ones included")}
      </dl>
      ${expiry(balance)} ${spendingChart(spending)} ${ledger(view)} ${lowForm(view)} ${chain(balance)}
    </div>`,
  };
}

function tile(name: string, amount: number, about: string, isFirst = false): Markup {
  return html`<div class=${isFirst ? "tile card tile--first" : "tile card"}>
    <dt>${name}</dt>
    <dd><span class="tile__amount">${count(amount)}</span> <span class="note">${about}</span></dd>
  </div>`;
}

/** What is spent first, and until when. */
function expiry({ available, grants, next_grant_at }: CreditsView["balance"]): Children {
  const next =
    next_grant_at !== null && html`<p>Your plan's next monthly credits come ${dateTime(next_grant_at)}.</p>`;
  if (grants.length === 0) return next;
  const expiring = grants.reduce((sum, { left }) => sum + left, 0);
  return html`<section class="stack" aria-labelledby="expiry-heading">
    <h2 id="expiry-heading">What expires</h2>
    ${next}
    <p>
      Spent in this order, and before the ${credits(Math.max(0, available - expiring))} that never expire.
    </p>
    ${table({
      caption: "Times are UTC.",
      columns: [{ label: "Credits", isNumber: true }, { label: "From" }, { label: "Expire" }],
      rows: grants.map(({ left, kind, expires_at }) => [
        count(left),
        GRANT_WORDS[kind],
        dateTime(expires_at),
      ]),
    })}
  </section>`;
}

function ledger(view: CreditsView): Markup {
  const { entries, filter, cursor, nextCursor } = view;
  return html`<section class="stack" aria-labelledby="ledger-heading">
    <div class="cluster cluster--apart">
      <h2 id="ledger-heading">Ledger</h2>
      ${linkButton({ href: CSV_PATH, label: "Download all as CSV", kind: "quiet" })}
    </div>
    ${filters(filter)} ${entries.length > 0 ? list(entries) : nothing(filter, cursor)}
    ${
      (cursor !== "" || nextCursor !== "") &&
      html`<nav class="cluster" aria-label="Pages">
        ${cursor !== "" && linkButton({ href: ledgerAddress(filter, ""), label: "Newest", kind: "quiet" })}
        ${nextCursor !== "" && linkButton({ href: ledgerAddress(filter, nextCursor), label: "Older", kind: "quiet" })}
      </nav>`
    }
  </section>`;
}

function filters({ kind, job_id, from, to }: LedgerFilter): Markup {
  return html`<form class="filters" method="get" action=${CREDITS_PATH}>
    ${select({
      name: "kind",
      label: "Kind",
      value: kind,
      options: [
        { value: "", label: "Any" },
        ...LEDGER_KINDS.map((value) => ({ value, label: KIND_WORDS[value] })),
      ],
    })}
    ${textField({ name: "from", label: "From", type: "date", value: from })}
    ${textField({ name: "to", label: "To", type: "date", value: to })}
    ${textField({ name: "job_id", label: "Job", value: job_id, maxLength: 64, autocomplete: "off" })}
    ${button({ label: "Show", kind: "quiet" })}
  </form>`;
}

function list(entries: readonly LedgerEntryResource[]): Markup {
  return table({
    caption: "Newest first. Times are UTC.",
    columns: [
      { label: "Entry" },
      { label: "What" },
      { label: "Balance change", isNumber: true },
      { label: "Held change", isNumber: true },
      { label: "Balance after", isNumber: true },
      { label: "Through" },
      { label: "For" },
      { label: "When" },
    ],
    rows: entries.map((entry) => [
      count(entry.seq),
      badge({ label: KIND_WORDS[entry.kind], tone: KIND_TONES[entry.kind] }),
      change(entry.amount),
      change(entry.hold),
      count(entry.balance_after),
      SOURCE_WORDS[entry.source] ?? entry.source,
      purpose(entry),
      dateTime(entry.created_at),
    ]),
  });
}

function purpose({ job_id, memo }: LedgerEntryResource): Children {
  if (job_id !== null) {
    // The end of an id tells two of them apart; its start is the time.
    return html`<a href=${jobPath(job_id)}>Job …${job_id.slice(-6)}</a>`;
  }
  return memo ?? "–";
}

function nothing(filter: LedgerFilter, cursor: string): Markup {
  const isWhole = cursor === "" && Object.values(filter).every((value) => value === "");
  return isWhole
    ? emptyState({
        title: "No entries yet",
        body: "Credits that you are given, and all that generating does to them, are listed here one by one.",
      })
    : emptyState({
        title: "No such entries",
        body: "Nothing in your ledger is like that.",
        action: linkButton({ href: CREDITS_PATH, label: "Whole ledger", kind: "quiet" }),
      });
}

function lowForm({ person, lowBelow }: CreditsView): Markup {
  return html`<section class="card stack" aria-labelledby="low-heading">
    <h2 id="low-heading">Be told in time</h2>
    <form class="filters" method="post" action=${LOW_PATH}>
      ${csrfField(person)}
      ${textField({
        name: "below",
        label: "A mail when fewer credits are available than",
        hint: "Leave empty for none. One mail, until there are as many again.",
        type: "number",
        min: 1,
        value: lowBelow,
      })}
      ${button({ label: "Save", kind: "quiet" })}
    </form>
  </section>`;
}

function chain({ ledger_seq }: CreditsView["balance"]): Markup {
  return html`<section class="card stack" aria-labelledby="chain-heading">
    <h2 id="chain-heading">Is it all there?</h2>
    <p>${chainWords(ledger_seq)}</p>
    <div class="cluster">
      ${button({ label: "Verify the chain", kind: "quiet", type: "button", id: "verify" })}
    </div>
    <p id="verify-result" role="status"></p>
    <noscript
      ><p class="note">This needs a script. The CSV has all that a check of your own needs.</p></noscript
    >
  </section>`;
}

function chainWords(entries: number): string {
  const all = entries === 1 ? "the entry" : `all ${count(entries)} entries`;
  return `Each entry carries a hash of itself and of the one before. Your browser can fetch ${all} and compute every hash again, without taking our word for it.`;
}

function ledgerAddress(filter: LedgerFilter, cursor: string): string {
  const given = Object.entries({ ...filter, cursor }).filter(([, value]) => value !== "");
  return given.length === 0 ? CREDITS_PATH : `${CREDITS_PATH}?${new URLSearchParams(given).toString()}`;
}
