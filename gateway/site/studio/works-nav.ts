// The views of what was made: jobs as pictures or as a table, and workflows.
import { type Markup, html } from "../design/markup.js";
import { JOBS_PATH, WORKFLOWS_PATH } from "./paths.ts";

export const VIEWS = ["gallery", "table"] as const;
export type View = (typeof VIEWS)[number];
const VIEW_WORDS: Readonly<Record<View, string>> = { gallery: "Gallery", table: "Table" };

/** `addressOf` returns the same jobs in that view. */
export function worksNav(
  current: View | "workflows",
  addressOf: (view: View) => string = (view) => `${JOBS_PATH}?view=${view}`,
): Markup {
  const way = (isHere: boolean, href: string, label: string) =>
    html`<a href=${href} aria-current=${isHere ? "true" : undefined}>${label}</a>`;
  return html`<nav class="segments" aria-label="View">
    ${VIEWS.map((view) => way(view === current, addressOf(view), VIEW_WORDS[view]))}
    ${way(current === "workflows", WORKFLOWS_PATH, "Workflows")}
  </nav>`;
}
