// The page of one key: its facts and activity, and forms to rename, limit, roll and revoke it.
import type { AppError } from "../../../proto/codes.ts";
import type { ApiKeyResource, KeyOverlap } from "../../../proto/resources/api-key.ts";
import type { KeySpending } from "../../../proto/types/atelier/v1/KeySpending.ts";
import { button } from "../design/button.ts";
import { radioGroup, textField } from "../design/field.ts";
import { counted } from "../design/format.ts";
import { html, type Markup } from "../design/markup.js";
import { notice, standingNotice } from "../design/notice.ts";
import { dateOf, timeOf } from "../design/time.ts";
import { issueAt } from "../layout/error-words.ts";
import { refusalNotice } from "../layout/refusal-notice.ts";
import type { Person } from "../session/current-person.ts";
import { actionForm, confirmedAction, csrfField, type Fact, facts } from "./account-frame.ts";
import { budgetFields, budgetForm, type KeyBudgetForm } from "./budget-fields.ts";
import { confirmWords, isLive, limitWords, raisedWords, scopeBadge, whenItEnds } from "./key-words.ts";

export type KeyNotice = { kind: "saved" } | { kind: "refused"; error: AppError };

/** The typed values of a change that was refused, or was kept over the sign-in. */
export type TypedTerms = { name: string; budget: KeyBudgetForm };

export type KeyInfo = {
  key: ApiKeyResource;
  /** The key that replaces it. */
  replacement: ApiKeyResource | undefined;
  spending: KeySpending | undefined;
  typed: TypedTerms | undefined;
  news: KeyNotice | undefined;
  now: Date;
};

const OVERLAPS: readonly { value: KeyOverlap; label: string }[] = [
  { value: "1h", label: "1 hour" },
  { value: "24h", label: "24 hours" },
  { value: "7d", label: "7 days" },
];

export function keyPageBody(person: Person, view: KeyInfo): Markup {
  const { key, replacement, news, now } = view;
  const live = isLive(key, now);
  return html`<p><a href="/account/keys">All keys</a></p>
    ${noticeBanner(news)} ${replacement && replacedNotice(key, replacement, live)}
    ${live && key.confirm_raised && raisedNotice(person, key)}
    <section class="card">${facts(keyInfo(view, live))}</section>
    ${live && changeForm(person, view)} ${live && key.replaced_by === null && rollForm(person, key)}
    ${
      live &&
      html`<section class="card stack" aria-labelledby="revoke">
        <h2 id="revoke">Revoke</h2>
        <p>Has it leaked, or is it not needed any more? Then end it now.</p>
        ${confirmedAction(person, {
          action: `/account/keys/${key.key_id}/revoke`,
          label: "Revoke",
          of: key.name,
          question: `Every program that uses “${key.name}” is refused immediately. This cannot be undone.`,
        })}
      </section>`
    }`;
}

function noticeBanner(news: KeyNotice | undefined): Markup | undefined {
  if (news?.kind === "saved") return notice({ tone: "success", title: "Saved." });
  if (news?.kind !== "refused") return undefined;
  const other = news.error.issues?.find(({ path }) => path === "key_id");
  return other ? notice({ tone: "danger", title: `This key ${other.message}.` }) : refusalNotice(news.error);
}

function replacedNotice(key: ApiKeyResource, replacement: ApiKeyResource, live: boolean): Markup {
  const link = html`<a href=${`/account/keys/${replacement.key_id}`}>${replacement.masked}</a>`;
  return standingNotice({
    tone: live ? "warning" : "info",
    title: "Another key has taken the place of this one.",
    body: live
      ? html`<p>The new one is ${link}. This one goes on working until ${timeOf(key.expires_at ?? "")}.</p>`
      : html`<p>The new one is ${link}.</p>`,
  });
}

function raisedNotice(person: Person, key: ApiKeyResource): Markup {
  return standingNotice({
    tone: "info",
    title: raisedWords(key),
    body: actionForm(person, {
      action: `/account/keys/${key.key_id}`,
      label: "Ask me again from now",
      values: { ask_again: 1 },
    }),
  });
}

function keyInfo({ key, spending }: KeyInfo, live: boolean): readonly Fact[] {
  const used = (jobs = 0, credits = 0) => `${counted(jobs, "job")}, ${counted(credits, "credit")}`;
  return [
    ["Key", html`<code>${key.masked}</code>`],
    ["Access", scopeBadge(key)],
    ["Created", dateOf(key.created_at)],
    ["Last used", key.last_used_at === null ? "never" : timeOf(key.last_used_at)],
    ["This month", used(spending?.month_jobs, spending?.month_credits)],
    ["Last 30 days", used(spending?.recent_jobs, spending?.recent_credits)],
    ["Limits", limitWords(key) ?? "none"],
    ["Confirming", confirmWords(key) ?? "never asks you"],
    live || key.revoked_at === null
      ? [live ? "Expires" : "Expired", whenItEnds(key)]
      : ["Revoked", timeOf(key.revoked_at)],
  ];
}

function changeForm(person: Person, { key, typed, news }: KeyInfo): Markup {
  const refusal = news?.kind === "refused" ? news.error : undefined;
  const { name, budget } = typed ?? { name: key.name, budget: budgetForm(key) };
  return html`<section class="card stack" aria-labelledby="change">
    <h2 id="change">Name and limits</h2>
    <form class="stack" method="post" action=${`/account/keys/${key.key_id}`}>
      ${csrfField(person)}
      <div class="form-row">
        ${textField({
          name: "name",
          label: "Name",
          hint: "The program or device that uses it.",
          value: name,
          maxLength: 100,
          required: true,
          error: issueAt(refusal, "name"),
        })}
        ${budgetFields(budget, { refusal, limitHint: "In credits; it counts from when you set it." })}
      </div>
      <p>${button({ label: "Save", kind: "quiet" })}</p>
    </form>
  </section>`;
}

function rollForm(person: Person, key: ApiKeyResource): Markup {
  return html`<section class="card stack" aria-labelledby="roll">
    <h2 id="roll">Roll the key</h2>
    <p>
      You get a new key with the same name, access, limits and last day. This one goes on working for a while,
      so that you can put the new one in its place without a gap.
    </p>
    <form class="stack" method="post" action=${`/account/keys/${key.key_id}/roll`}>
      ${csrfField(person)}
      ${radioGroup({ name: "overlap", label: "Keep this one working for", value: "24h", options: OVERLAPS })}
      <p>${button({ label: "Roll key", kind: "quiet" })}</p>
    </form>
  </section>`;
}
