// The terms of a licence in one line with a link to the full text, for product and library pages.
import type { LicenceTerms } from "../../../proto/resources/licence-terms.ts";
import { type Markup, html } from "./markup.js";

export function termsLine({ summary }: LicenceTerms, href: string, of: string): Markup {
  return html`<p class="note">
    ${summary} <a href=${href}>All terms<span class="aside-from-sight"> of the ${of} licence</span></a>
  </p>`;
}
