// The contents of /account/keys: the result of the last action, active keys, the form for a new key, and ended keys.
import type { AppError } from "../../../proto/codes.ts";
import type { ApiKeyResource } from "../../../proto/resources/api-key.ts";
import type { KeySpending } from "../../../proto/types/atelier/v1/KeySpending.ts";
import type { Trial } from "../../../proto/types/atelier/v1/Trial.ts";
import { badge } from "../design/badge.ts";
import { button } from "../design/button.ts";
import { radioGroup, textField } from "../design/field.ts";
import { counted } from "../design/format.ts";
import { type Children, html, type Markup } from "../design/markup.js";
import { emptyState, notice } from "../design/notice.ts";
import { table } from "../design/table.ts";
import { dateOf, timeOf } from "../design/time.ts";
import { issueAt } from "../layout/error-words.ts";
import { refusalNotice } from "../layout/refusal-notice.ts";
import type { Person } from "../session/current-person.ts";
import { confirmedAction, csrfField } from "./account-frame.ts";
import { budgetFields, type KeyBudgetForm } from "./budget-fields.ts";
import { confirmWords, isLive, limitWords, scopeBadge, whenItEnds } from "./key-words.ts";
import { madeKey, type MadeKey } from "./made-key.ts";
import { hasApi, trialCard } from "./trial.ts";

export type NewKeyForm = Record<"name" | "scope" | "expires", string> & KeyBudgetForm;

export type KeysNotice =
  | { kind: "created"; made: MadeKey }
  | { kind: "rolled"; made: MadeKey; old: ApiKeyResource }
  | { kind: "revoked" }
  | { kind: "refused"; error: AppError };

export type KeysInfo = {
  keys: readonly ApiKeyResource[];
  spending: ReadonlyMap<string, KeySpending>;
  trial: Trial;
  form: NewKeyForm;
  news: KeysNotice | undefined;
  now: Date;
};

const COLUMNS = ["Key", "Access", "Last used", "Last 30 days", "Expires", "End it"];

export function keysBody(person: Person, { keys, spending, trial, form, news, now }: KeysInfo): Markup {
  const live = keys.filter((key) => isLive(key, now));
  const ended = keys.filter((key) => !isLive(key, now));
  return html`<p class="lead">
      With a key your programs and assistants use this account. <a href="/docs">How to call the API</a>.
    </p>
    ${news && noticeBanner(news)}
    ${
      live.length === 0
        ? emptyState({
            title: "No live keys",
            body: hasApi(trial)
              ? "Create the first one below."
              : "Keys come with a plan that includes the API.",
          })
        : table({
            caption: `${counted(live.length, "live key")} of at most 20`,
            columns: COLUMNS,
            rows: live.map((key) => liveRow(person, key, spending.get(key.key_id))),
          })
    }
    ${trialCard(person, trial)} ${hasApi(trial) && newKeyForm(person, form, news)}
    ${ended.length > 0 && endedKeys(ended)}`;
}

function noticeBanner(news: KeysNotice): Markup {
  switch (news.kind) {
    case "created":
      return madeKey(news.made);
    case "rolled":
      return madeKey(
        news.made,
        html`It takes the place of <code>${news.old.masked}</code>, which goes on working until${" "}
          ${timeOf(news.old.expires_at ?? "")}.`,
      );
    case "revoked":
      return notice({ tone: "success", title: "The key was revoked. It is refused from now on." });
    case "refused":
      return refusalNotice(news.error);
  }
}

function newKeyForm(
  person: Person,
  { name, scope, expires, ...budget }: NewKeyForm,
  news: KeysNotice | undefined,
): Markup {
  const refusal = news?.kind === "refused" ? news.error : undefined;
  return html`<section class="card stack" aria-labelledby="new-key">
    <h2 id="new-key">New key</h2>
    <form class="stack" method="post" action="/account/keys">
      ${csrfField(person)}
      <div class="form-row">
        ${textField({
          name: "name",
          label: "Name",
          hint: "The program or device that will use it, for example: server.",
          value: name,
          maxLength: 100,
          required: true,
          error: issueAt(refusal, "name"),
        })}
        ${textField({
          name: "expires",
          label: "Expires",
          hint: "The last day on which it works.",
          type: "date",
          value: expires,
          error: issueAt(refusal, "expires_at"),
        })}
        ${budgetFields(budget, { refusal, limitHint: "In credits. Months are UTC." })}
      </div>
      ${radioGroup({
        name: "scope",
        label: "Access",
        value: scope,
        error: issueAt(refusal, "scope"),
        options: [
          { value: "read", label: "Read", hint: "Jobs, files, models, credits and the ledger." },
          {
            value: "write",
            label: "Read and write",
            hint: "Also generate, which spends credits. Tools of assistants need this.",
          },
        ],
      })}
      <p>${button({ label: "Create key" })}</p>
    </form>
  </section>`;
}

function liveRow(person: Person, key: ApiKeyResource, spent: KeySpending | undefined): readonly Children[] {
  const limits = [limitWords(key), confirmWords(key)].filter((words) => words !== undefined);
  return [
    nameOf(key),
    scopeBadge(key),
    html`<div>
      <p>${lastUse(key)}</p>
      <p class="note">created ${dateOf(key.created_at)}</p>
    </div>`,
    html`<div>
      <p>
        ${spent ? `${counted(spent.recent_jobs, "job")}, ${counted(spent.recent_credits, "credit")}` : "nothing"}
      </p>
      ${limits.length > 0 && html`<p class="note">${limits.join(", ")}</p>`}
    </div>`,
    html`${whenItEnds(key)} ${key.replaced_by !== null && badge({ label: "replaced", tone: "warning" })}`,
    confirmedAction(person, {
      action: `/account/keys/${key.key_id}/revoke`,
      label: "Revoke",
      of: key.name,
      question: `Every program that uses “${key.name}” is refused immediately. This cannot be undone.`,
    }),
  ];
}

function nameOf({ key_id, name, masked }: ApiKeyResource): Markup {
  return html`<div>
    <a href=${`/account/keys/${key_id}`}>${name}</a>
    <p class="masked"><code>${masked}</code></p>
  </div>`;
}

function lastUse({ last_used_at }: ApiKeyResource): Markup | string {
  return last_used_at === null ? "never" : timeOf(last_used_at);
}

function endedKeys(ended: readonly ApiKeyResource[]): Markup {
  return html`<details>
    <summary>${counted(ended.length, "key")} that ended</summary>
    ${table({
      caption: "Revoked or expired, newest first",
      columns: ["Key", "Ended", "Last used"],
      rows: ended.map((key) => [nameOf(key), endedWords(key), lastUse(key)]),
    })}
  </details>`;
}

function endedWords({ revoked_at, replaced_by, expires_at, created_at }: ApiKeyResource): Markup {
  if (revoked_at !== null) return html`revoked ${dateOf(revoked_at)}`;
  return html`${replaced_by === null ? "expired" : "replaced"} ${dateOf(expires_at ?? created_at)}`;
}
