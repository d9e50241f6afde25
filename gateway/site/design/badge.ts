// A short word for the state of something. The word carries the meaning; the colour supports it.
import { capitalised } from "./format.ts";
import { type Markup, html } from "./markup.js";

export type BadgeTone = "neutral" | "accent" | "success" | "warning" | "danger";

export function badge({ label, tone = "neutral" }: { label: string; tone?: BadgeTone }): Markup {
  return html`<span class=${`badge badge--${tone}`}>${capitalised(label)}</span>`;
}
