// Buttons, and links that look like buttons. A view has one primary action; all others are quiet.
import { type Markup, html } from "./markup.js";

export type ButtonKind = "primary" | "quiet" | "danger";

export type ButtonOptions = {
  label: string;
  /** What the button is about if several have the same label. Screen readers announce it; it is not visible. */
  of?: string;
  kind?: ButtonKind;
  /** The default is submit. */
  type?: "submit" | "button";
  name?: string;
  value?: string;
  /** An id for scripts. */
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
  /** A link to another site, which does not receive our address. */
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
