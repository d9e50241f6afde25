// The star that makes a job a favourite of its owner: a button of one form of the page. browser/star.js stays on the page; without scripts the
// form returns to it.
import type { JobResource } from "../../../proto/resources/job.ts";
import { jobParams } from "../../answers/path-params.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { csrfField } from "../account/account-frame.ts";
import { icon } from "../design/icon.ts";
import { type Markup, html } from "../design/markup.js";
import { type Person, personCall } from "../session/current-person.ts";
import { formOf } from "../session/forms.ts";
import { safeNext } from "../session/sign-in-link.ts";
import { excerpt } from "./job-words.ts";
import { jobPath, JOBS_PATH } from "./paths.ts";

const FORM_ID = "star";
const PROMPT_LENGTH = 80;

export function starAction(app: GatewayApp, { core }: GatewayOptions): void {
  app.post(`${JOBS_PATH}/:id/star`, { schema: { params: jobParams } }, async (request, reply) => {
    const { id } = request.params;
    const form = formOf(request);
    await core.jobs.StarJob({ job_id: id, starred: form.get("starred") !== "" }, personCall(request));
    return reply.redirect(`${safeNext(form.get("back")) || jobPath(id)}#work-${id}`, 303);
  });
}

/** The form of all stars of a page; `back` is the address of the page. */
export function starForm(person: Person, back: string): Markup {
  return html`<form id=${FORM_ID} method="post" hidden>
    ${csrfField(person)} <input type="hidden" name="back" value=${back} />
  </form>`;
}

/** A small one shows the star alone. */
export function starButton(
  { job_id, prompt }: JobResource,
  isStarred: boolean,
  { isSmall = false }: { isSmall?: boolean } = {},
): Markup {
  const about = excerpt(prompt, PROMPT_LENGTH);
  return html`<button
    class=${isSmall ? "star star--small" : "star button button--quiet"}
    type="submit"
    form=${FORM_ID}
    formaction=${`${jobPath(job_id)}/star`}
    name="starred"
    value=${isStarred ? "" : "1"}
    aria-pressed=${String(isStarred)}
  >
    ${icon("star")}${
      isSmall
        ? html`<span class="aside-from-sight">Favourite ${about}</span>`
        : html`Favourite<span class="aside-from-sight"> ${about}</span>`
    }
  </button>`;
}
