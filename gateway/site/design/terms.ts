// The terms of a licence in one line, where it is sold and where it is kept, with the way to all of them.
import type { LicenceTerms } from "../../../proto/resources/licence-terms.ts";
import { type Markup, html } from "./markup.js";

export function termsLine({ summary }: LicenceTerms, href: string, of: string): Markup {
  return html`<p class="note">
    ${summary} <a href=${href}>All terms<span class="aside-from-sight"> of the ${of} licence</span></a>
  </p>`;
}
