// /credits: the balance, recent spending, and the ledger.
import type { z } from "zod";
import { type balanceSchema, LEDGER_KINDS } from "../../../proto/resources/credits.ts";
import { csrfField } from "../account/account-frame.ts";
import { missingWelcomeNotice } from "../account/missing-welcome.ts";
import { button, linkButton } from "../design/button.ts";
import { select, textField } from "../design/field.ts";
import { count, credits } from "../design/format.ts";
import { icon } from "../design/icon.ts";
import { type Children, type Markup, html } from "../design/markup.js";
import { emptyState } from "../design/notice.ts";
import { timeAgo } from "../design/time.ts";
import type { Page } from "../layout/render-page.ts";
import type { Person } from "../session/current-person.ts";
import { PACKS_PATH } from "../shop/shop-paths.ts";
import { GENERATE_PATH } from "../studio/paths.ts";
import { type LedgerRow, ledgerRows } from "./ledger-rows.ts";
import { GRANT_WORDS, KIND_WORDS } from "./ledger-words.ts";
import { spendingChart, type SpendingView } from "./spending-chart.ts";

export const CREDITS_PATH = "/credits";
export const LOW_PATH = `${CREDITS_PATH}/low`;
export const CSV_PATH = `${CREDITS_PATH}/ledger.csv`;
/** Further expiring grants are in a disclosure. */
const GRANTS_SHOWN = 3;

/** As the form shows it; empty if nothing was chosen. */
export type LedgerFilter = { kind: string; job_id: string; from: string; to: string };

export type CreditsView = {
  person: Person;
  balance: z.output<typeof balanceSchema>;
  /** Why the free credits of the plan are missing; empty if they are not. */
  missingWelcome: string;
  /** The balance below which the person is notified; undefined for never. */
  lowBelow: number | undefined;
  spending: SpendingView;
  rows: readonly LedgerRow[];
  /** The first row is the entry that the address names. */
  landed: boolean;
  filter: LedgerFilter;
  /** Empty on the first page. */
  cursor: string;
  /** Empty on the last page. */
  nextCursor: string;
  now: Date;
};

export function creditsPage(view: CreditsView): Page {
  const { spending, person } = view;
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
      ${missingWelcomeNotice(view.missingWelcome)} ${seal(view)}
      <div class="credits">
        ${amounts(view)} ${ledger(view)}
        <div class="credits__aside stack">${spendingChart(spending)} ${lowForm(view)}</div>
      </div>
    </div>`,
  };
}

/** browser/verify-chain.js compares the `data-…` attributes with what this browser verified before. */
function seal({ balance: { ledger_seq }, person }: CreditsView): Markup {
  return html`<section
    class="seal"
    aria-labelledby="seal-heading"
    data-account=${person.accountId}
    data-entries=${ledger_seq}
  >
    ${icon("check")}
    <div class="stack stack--tight">
      <h2 id="seal-heading">Verify your ledger</h2>
      <p id="verify-last" class="note"></p>
      <p id="verify-result" role="status"></p>
      <noscript
        ><p class="note">
          Verifying needs a script. The CSV has all that a check of your own needs.
        </p></noscript
      >
      <details class="more">
        <summary>How that works</summary>
        <p>${chainWords(ledger_seq)}</p>
      </details>
    </div>
    ${button({ label: "Verify now", kind: "quiet", type: "button", id: "verify" })}
  </section>`;
}

function chainWords(entries: number): string {
  const all = entries === 1 ? "the entry" : `all ${count(entries)} entries`;
  return `Each entry carries a hash of itself and of the one before. Your browser fetches ${all} and computes every hash again, without taking our word for it. It remembers how far it came, so that what it has seen once cannot be rewritten later.`;
}

function amounts({ balance, now }: CreditsView): Markup {
  return html`<section class="credits__amounts card stack" aria-label="Balance">
    <dl class="amounts">
      ${amount("Available", balance.available)} ${amount("Held", balance.held)}
      ${amount("Balance", balance.balance)}
    </dl>
    ${expiry(balance, now)}
  </section>`;
}

function amount(name: string, value: number): Markup {
  return html`<div>
    <dt>${name}</dt>
    <dd class="tile__amount">${count(value)}</dd>
  </div>`;
}

/** Which credits are spent first, and when they expire. */
function expiry({ available, grants, next_grant_at }: CreditsView["balance"], now: Date): Children {
  const next =
    next_grant_at !== null &&
    html`<p class="note">Your plan's next credits: ${timeAgo(next_grant_at, now)}.</p>`;
  if (grants.length === 0) return next;
  const lasting = available - grants.reduce((sum, { left }) => sum + left, 0);
  const line = ({ left, kind, expires_at }: (typeof grants)[number]) =>
    html`<li>
      <span>${credits(left)}, ${GRANT_WORDS[kind]}</span>
      ${timeAgo(expires_at, now)}
    </li>`;
  const more = grants.slice(GRANTS_SHOWN);
  return html`<h2 class="amounts__heading">What expires when</h2>
    <ul class="stack stack--close expiry">
      ${grants.slice(0, GRANTS_SHOWN).map(line)}
    </ul>
    ${
      more.length > 0 &&
      html`<details class="more">
        <summary>${count(more.length)} more</summary>
        <ul class="stack stack--close expiry">
          ${more.map(line)}
        </ul>
      </details>`
    }
    <p class="note">
      ${lasting > 0 ? `Spent in this order, before the ${credits(lasting)} that never expire.` : "Spent in this order."}
    </p>
    ${next}`;
}

function ledger(view: CreditsView): Markup {
  const { rows, filter, cursor, nextCursor, landed, now } = view;
  const isFurther = cursor !== "" || landed;
  return html`<section class="credits__ledger stack" aria-labelledby="ledger-heading">
    <div class="cluster cluster--apart">
      <h2 id="ledger-heading">Ledger</h2>
      <a href=${CSV_PATH}>Download all as CSV</a>
    </div>
    ${filters(filter)} ${rows.length > 0 ? ledgerRows(rows, now, landed) : nothing(filter, cursor)}
    ${
      (isFurther || nextCursor !== "") &&
      html`<nav class="cluster" aria-label="Pages">
        ${isFurther && linkButton({ href: ledgerAddress(filter, ""), label: "Newest", kind: "quiet" })}
        ${nextCursor !== "" && linkButton({ href: ledgerAddress(filter, nextCursor), label: "Older", kind: "quiet" })}
      </nav>`
    }
  </section>`;
}

function filters(filter: LedgerFilter): Markup {
  const { kind, job_id, from, to } = filter;
  return html`<details class="more" open=${Object.values(filter).some((value) => value !== "")}>
    <summary>Filter</summary>
    <form class="filters" method="get" action=${CREDITS_PATH}>
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
      ${button({ label: "Apply", kind: "quiet" })}
    </form>
  </details>`;
}

function nothing(filter: LedgerFilter, cursor: string): Markup {
  const isWhole = cursor === "" && Object.values(filter).every((value) => value === "");
  return isWhole
    ? emptyState({
        title: "No entries yet",
        body: "Credits that you are given, and all that generating does to them, are listed here.",
        action: linkButton({ href: PACKS_PATH, label: "Buy credits" }),
      })
    : emptyState({
        title: "No matching entries",
        body: "Nothing in your ledger matches this filter.",
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
        label: "Mail me when I have fewer credits than",
        hint: "One mail, until there are as many again. Leave empty for none.",
        type: "number",
        min: 1,
        value: lowBelow,
      })}
      ${button({ label: "Save", kind: "quiet" })}
    </form>
  </section>`;
}

function ledgerAddress(filter: LedgerFilter, cursor: string): string {
  const given = Object.entries({ ...filter, cursor }).filter(([, value]) => value !== "");
  return given.length === 0 ? CREDITS_PATH : `${CREDITS_PATH}?${new URLSearchParams(given).toString()}`;
}
