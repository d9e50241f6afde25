// Messages within a page: results, errors and information, and the contents of empty lists.
import { icon, type IconName } from "./icon.ts";
import { type Children, type Markup, html } from "./markup.js";

export type Tone = "info" | "success" | "warning" | "danger";

const ICONS: Readonly<Record<Tone, IconName>> = {
  info: "info",
  success: "check",
  warning: "warning",
  danger: "warning",
};

type Notice = { tone: Tone; title: Children; body?: Children };

/** Screen readers announce it immediately. */
export function notice(said: Notice): Markup {
  return box(said, said.tone === "danger" ? "alert" : "status");
}

/** A notice that is as old as the page, and is read in its place. */
export function standingNotice(said: Notice): Markup {
  return box(said);
}

function box({ tone, title, body }: Notice, role?: "alert" | "status"): Markup {
  return html`<div class=${`notice notice--${tone}`} role=${role}>
    ${icon(ICONS[tone])}
    <div>
      <p class="notice__title">${title}</p>
      ${body && html`<div class="notice__body">${body}</div>`}
    </div>
  </div>`;
}

export function emptyState({
  title,
  body,
  action,
}: {
  title: string;
  body: Children;
  action?: Markup;
}): Markup {
  return html`<div class="empty">
    <p class="empty__title">${title}</p>
    <p>${body}</p>
    ${action}
  </div>`;
}
