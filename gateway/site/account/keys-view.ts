// What /account/keys shows: news of what was just done, the form for a new key, the live keys, and those that were.
import type { AppError } from "../../../proto/codes.ts";
import type { ApiKeyResource } from "../../../proto/resources/api-key.ts";
import { badge } from "../design/badge.ts";
import { button, linkButton } from "../design/button.ts";
import { radioGroup, textField } from "../design/field.ts";
import { count, counted, date, dateTime } from "../design/format.ts";
import { emptyState, notice } from "../design/notice.ts";
import { table } from "../design/table.ts";
import { type Children, html, type Markup } from "../design/markup.js";
import type { Person } from "../session/current-person.ts";
import { confirmedAction, csrfField, shownOnce } from "./account-frame.ts";

export type NewKeyForm = { name: string; scope: string; expires: string; max_credits: string };

export type KeysNews =
  | { kind: "created"; secret: string }
  | { kind: "revoked" }
  | { kind: "refused"; error: AppError };

export type KeysFacts = {
  keys: readonly ApiKeyResource[];
  /** Whether the plan includes the API. */
  mayCreate: boolean;
  form: NewKeyForm;
  news: KeysNews | undefined;
  now: Date;
};

export function keysBody(person: Person, { keys, mayCreate, form, news, now }: KeysFacts): Markup {
  const isLive = ({ revoked_at, expires_at }: ApiKeyResource) =>
    revoked_at === null && (expires_at === null || new Date(expires_at) > now);
  const live = keys.filter(isLive);
  const ended = keys.filter((key) => !isLive(key));
  return html`<p class="lead">
      With a key your programs and assistants use this account. <a href="/docs">How to call the API</a>.
    </p>
    ${news && newsNotice(news)}
    ${
      live.length === 0
        ? emptyState({
            title: "No live keys",
            body: mayCreate ? "Make the first one below." : "Keys come with a plan that includes the API.",
          })
        : table({
            caption: `${counted(live.length, "live key")} of at most 20`,
            columns: ["Name", "Key", "May", "Made", "Last used", "Expires", "This month", "End it"].map(
              (label) => ({
                label,
              }),
            ),
            rows: live.map((key) => liveRow(person, key)),
          })
    }
    ${mayCreate ? newKeyForm(person, form, news) : planNotice()} ${ended.length > 0 && endedKeys(ended)}`;
}

function newsNotice(news: KeysNews): Markup {
  switch (news.kind) {
    case "created":
      return shownOnce({
        title: "This is your new key. Copy it now: it is not shown again.",
        secret: news.secret,
        what: "the new key",
        body: "Keep it where only your program reads it, never in an address, a page or a public repository. Whoever has it can spend your credits.",
      });
    case "revoked":
      return notice({ tone: "success", title: "The key was revoked. It is refused from now on." });
    case "refused":
      return notice({ tone: "danger", title: news.error.message, body: html`<p>${news.error.hint}</p>` });
  }
}

function newKeyForm(
  person: Person,
  { name, scope, expires, max_credits }: NewKeyForm,
  news: KeysNews | undefined,
): Markup {
  const issues = news?.kind === "refused" ? (news.error.issues ?? []) : [];
  const errorOf = (path: string) => {
    const issue = issues.find((candidate) => candidate.path === path);
    return issue && `This ${issue.message}.`;
  };
  return html`<section class="card stack" aria-labelledby="new-key">
    <h2 id="new-key">New key</h2>
    <form class="stack" method="post" action="/account/keys">
      ${csrfField(person)}
      <div class="form-row">
        ${textField({
          name: "name",
          label: "Name",
          hint: "What will use it, for example: server.",
          value: name,
          maxLength: 100,
          required: true,
          error: errorOf("name"),
        })}
        ${textField({
          name: "expires",
          label: "Last day",
          hint: "Leave empty for a key that does not expire.",
          type: "date",
          value: expires,
          error: errorOf("expires_at"),
        })}
        ${textField({
          name: "max_credits",
          label: "Most credits a month",
          hint: "Leave empty for no limit. Months are UTC.",
          type: "number",
          min: 1,
          value: max_credits,
          error: errorOf("max_credits"),
        })}
      </div>
      ${radioGroup({
        name: "scope",
        label: "It may",
        value: scope,
        error: errorOf("scope"),
        options: [
          { value: "read", label: "Read", hint: "Jobs, files, models, credits and the ledger." },
          {
            value: "write",
            label: "Read and write",
            hint: "Also generate, which spends credits. Tools of assistants need this.",
          },
        ],
      })}
      <p>${button({ label: "Make the key" })}</p>
    </form>
  </section>`;
}

function planNotice(): Markup {
  return notice({
    tone: "info",
    title: "Your plan does not include the API.",
    body: html`<p>${linkButton({ href: "/account/plan", label: "See the plans", kind: "quiet" })}</p>`,
    isNews: false,
  });
}

function liveRow(person: Person, key: ApiKeyResource): readonly Children[] {
  return [
    key.name,
    html`<code>${key.masked}</code>`,
    scopeBadge(key),
    date(key.created_at),
    key.last_used_at === null ? "never" : dateTime(key.last_used_at),
    key.expires_at === null ? "never" : date(key.expires_at),
    key.max_credits === null
      ? "no limit"
      : `${count(key.credits_this_month ?? 0)} of ${count(key.max_credits)} credits`,
    confirmedAction(person, {
      action: `/account/keys/${key.key_id}/revoke`,
      label: "Revoke",
      of: key.name,
      question: `Whatever uses “${key.name}” is refused at once. This cannot be undone.`,
    }),
  ];
}

function scopeBadge({ scope }: ApiKeyResource): Markup {
  return scope === "write" ? badge({ label: "read and write", tone: "accent" }) : badge({ label: "read" });
}

function endedKeys(ended: readonly ApiKeyResource[]): Markup {
  return html`<details>
    <summary>${counted(ended.length, "key")} that ended</summary>
    ${table({
      caption: "Revoked or expired, newest first",
      columns: ["Name", "Key", "Ended", "Last used"].map((label) => ({ label })),
      rows: ended.map((key) => [
        key.name,
        html`<code>${key.masked}</code>`,
        key.revoked_at === null
          ? `expired ${date(key.expires_at ?? key.created_at)}`
          : `revoked ${date(key.revoked_at)}`,
        key.last_used_at === null ? "never" : dateTime(key.last_used_at),
      ]),
    })}
  </details>`;
}
