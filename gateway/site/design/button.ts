// Buttons, and links that look like them: one primary action a view, the rest quiet.
import { type Markup, html } from "./markup.js";

export type ButtonKind = "primary" | "quiet" | "danger";

type ButtonOptions = {
  label: string;
  /** What it is about, where several are called the same: read out, not seen. */
  of?: string;
  kind?: ButtonKind;
  /** Default: submit. */
  type?: "submit" | "button";
  name?: string;
  value?: string;
  /** For scripts to find it. */
  id?: string;
  isDisabled?: boolean;
};

export function button({
  label,
  of,
  kind = "primary",
  type = "submit",
  name,
  value,
  id,
  isDisabled = false,
}: ButtonOptions): Markup {
  return html`<button
    class=${classOf(kind)}
    type=${type}
    name=${name}
    value=${value}
    id=${id}
    disabled=${isDisabled}
  >
    ${label}${of && html`<span class="aside-from-sight"> ${of}</span>`}
  </button>`;
}

type LinkOptions = {
  href: string;
  label: string;
  kind?: ButtonKind;
  /** Of another site, which learns nothing of ours from it. */
  isElsewhere?: boolean;
};

export function linkButton({ href, label, kind = "primary", isElsewhere = false }: LinkOptions): Markup {
  return html`<a class=${classOf(kind)} href=${href} rel=${isElsewhere && "external noopener noreferrer"}
    >${label}</a
  >`;
}

function classOf(kind: ButtonKind): string {
  return `button button--${kind}`;
}
