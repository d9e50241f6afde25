// /licences/{kind}: the terms of a licence, the current ones or those of an earlier version. For anyone.
import { z } from "zod";
import { AppError } from "../../../proto/codes.ts";
import { currentTerms, findTerms, type LicenceTerms } from "../../../proto/resources/licence-terms.ts";
import { LICENCE_KINDS, type LicenceKind } from "../../../proto/resources/membership.ts";
import type { GatewayApp } from "../../gateway.ts";
import { OPEN } from "../../http/crawlers.ts";
import { queryWhole } from "../../http/query.ts";
import { label } from "../design/format.ts";
import { html } from "../design/markup.js";
import { standingNotice } from "../design/notice.ts";
import { termsPath } from "../layout/library-paths.ts";
import { type Page, renderPage } from "../layout/render-page.ts";
import { viewerOf } from "../session/current-person.ts";

const querystring = z.object({ version: queryWhole(1).optional() });

export function termsPages(app: GatewayApp): void {
  for (const kind of LICENCE_KINDS) {
    app.get(termsPath(kind), { ...OPEN, schema: { querystring } }, async (request, reply) => {
      const { version } = request.query;
      const terms = version === undefined ? currentTerms(kind) : findTerms(kind, version);
      if (!terms) throw new AppError("not_found");
      const person = await viewerOf(app.sessions, request);
      return renderPage(reply, { ...termsPage(kind, terms), person });
    });
  }
}

function termsPage(kind: LicenceKind, { version, summary, paragraphs }: LicenceTerms): Page {
  const current = currentTerms(kind).version;
  const title = `${label(kind)} licence`;
  return {
    title,
    description: summary,
    path: termsPath(kind),
    styles: ["about.css"],
    body: html`<article class="prose stack">
      <h1>${title}</h1>
      <p class="lead">${summary}</p>
      ${
        version !== current &&
        standingNotice({
          tone: "info",
          title: `These are the terms of version ${version}`,
          body: html`New licences are granted under <a href=${termsPath(kind)}>version ${current}</a>. One
            that was granted under these stays under them.`,
        })
      }
      ${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
      <p class="note">
        Version ${version}. A licence stays under the terms that it was granted under.
        ${LICENCE_KINDS.filter((other) => other !== kind).map((other) => html` <a href=${termsPath(other)}>${label(other)} licence</a>`)}
      </p>
    </article>`,
  };
}
