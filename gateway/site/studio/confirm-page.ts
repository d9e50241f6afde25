// What /account/confirm/{id} shows: the price, exactly what would be made, the answer so far, and the buttons that give it.
import type { AppError } from "../../../proto/codes.ts";
import type { ApiKeyResource } from "../../../proto/resources/api-key.ts";
import type { ApprovalResource, AskedJob } from "../../../proto/resources/confirmation.ts";
import { csrfField, type Fact, facts } from "../account/account-frame.ts";
import { raisedWords } from "../account/key-words.ts";
import { button, linkButton } from "../design/button.ts";
import { textField } from "../design/field.ts";
import { counted, credits, label } from "../design/format.ts";
import { html, type Markup } from "../design/markup.js";
import { notice, standingNotice } from "../design/notice.ts";
import { timeOf } from "../design/time.ts";
import { issueAt } from "../layout/error-words.ts";
import { INBOX_PATH } from "../layout/page-shell.ts";
import type { Person } from "../session/current-person.ts";
import { PACKS_PATH } from "../shop/shop-paths.ts";
import type { ModelLink } from "./model-names.ts";
import { inWords, labelOf } from "./params.ts";
import { confirmPath, JOBS_PATH, jobPath, workflowPath } from "./paths.ts";

export type RefusedRaise = { readonly error: AppError; readonly typed: string };

type ConfirmView = {
  readonly confirmation: ApprovalResource;
  readonly modelLink: ModelLink;
  /** Undefined if it has ended or the person does not manage it. */
  readonly key: ApiKeyResource | undefined;
  readonly isKeyEnded: boolean;
  readonly refused: RefusedRaise | undefined;
};

export function confirmTitle({ key_name, credits: price }: ApprovalResource): string {
  return `“${key_name}” asks to spend ${credits(price)}`;
}

export function confirmBody(
  person: Person,
  { confirmation, modelLink, key, isKeyEnded, refused }: ConfirmView,
): Markup {
  const { jobs, work, credits: price, confirm_above, expires_at, state, others = [] } = confirmation;
  const mayRaise =
    key !== undefined && key.confirm_above !== null && price > (key.confirm_raised?.above ?? confirm_above);
  const isOver = isKeyEnded && (state === "asked" || state === "yes");
  return html`${isOver ? endedNotice() : answered(confirmation)} ${key?.confirm_raised && raisedNotice(key)}
    <section class="card stack" aria-labelledby="price">
      <h2 id="price">The price</h2>
      ${facts([
        ["It costs", credits(price)],
        ["You have", credits(person.creditsAvailable)],
        [
          "Why you are asked",
          `This key asks you before it spends more than ${credits(confirm_above)} on one job.`,
        ],
        state !== "used" && ["Open until", timeOf(expires_at)],
      ])}
      ${state !== "used" && !isKeyEnded && price > person.creditsAvailable && html`<p>You have fewer credits than it costs. <a href=${PACKS_PATH}>Buy credits</a>, then say yes.</p>`}
      ${state !== "used" && !isKeyEnded && answerForm(person, confirmation)}
    </section>
    <section class="stack" aria-labelledby="what">
      <h2 id="what">
        ${work !== undefined ? "What it is for" : `${state === "used" ? "What was asked for" : "What will be made"}${jobs.length === 1 ? "" : `: ${counted(jobs.length, "thing")}`}`}
      </h2>
      ${work !== undefined && html`<p class="card prompt">${work}</p>`}
      ${jobs.map((job) => askedJob(job, modelLink))}
    </section>
    ${state !== "used" && mayRaise && raiseForm(person, confirmation, refused)}
    ${others.length > 0 && otherRequests(others)}`;
}

/** For a request of another account as for one that is over. */
export function expiredPage(): { title: string; body: Markup } {
  return {
    title: "This request is not open any more",
    body: html`<p class="lead">
        A request waits 15 minutes for your answer. Tell your assistant or program to go on: it asks you
        again.
      </p>
      <p class="cluster">
        ${linkButton({ href: INBOX_PATH, label: "See what waits for you" })}
        ${linkButton({ href: JOBS_PATH, label: "Your jobs", kind: "quiet" })}
      </p>`,
  };
}

function raisedNotice(key: ApiKeyResource): Markup {
  return standingNotice({
    tone: "info",
    title: raisedWords(key),
    body: html`<a href=${`/account/keys/${key.key_id}`}>End that on the page of the key</a>`,
  });
}

/** Approves this request, and raises the threshold of the key for an hour. */
function raiseForm(
  person: Person,
  { confirmation_id, credits: price, confirm_above }: ApprovalResource,
  refused: RefusedRaise | undefined,
): Markup {
  return html`<section class="card stack" aria-labelledby="hour">
    <h2 id="hour">Approve, and do not be asked for an hour</h2>
    <form class="stack" method="post" action=${confirmPath(confirmation_id)}>
      ${csrfField(person)}
      ${textField({
        name: "raise_to",
        label: "For jobs up to this price",
        hint: "In credits. The limits of the key still hold, and you can end this at any time.",
        type: "number",
        min: confirm_above + 1,
        max: price,
        value: refused?.typed ?? price,
        required: true,
        error: issueAt(refused?.error, "raise_to"),
      })}
      <p>
        ${button({ label: "Yes, and do not ask for an hour", kind: "quiet", name: "answer", value: "raise" })}
      </p>
    </form>
  </section>`;
}

function otherRequests(others: NonNullable<ApprovalResource["others"]>): Markup {
  return html`<section class="stack" aria-labelledby="others">
    <h2 id="others">Also waiting</h2>
    <ul>
      ${others.map(
        ({ confirmation_id, key_name, credits: price, what }) =>
          html`<li>
            <a href=${confirmPath(confirmation_id)}>“${key_name}”, ${credits(price)}</a>: ${what}
          </li>`,
      )}
    </ul>
  </section>`;
}

function answered({ state, expires_at, starts, work, job_id, workflow_id }: ApprovalResource): Markup {
  switch (state) {
    case "yes":
      return notice({
        tone: starts ? "warning" : "success",
        title: starts ? "You said yes, but it could not be started yet." : "You said yes.",
        body: html`${starts ? "Say yes again, or tell" : "Tell"} your assistant to go on: it has until${" "}
        ${timeOf(expires_at)} to ask once more, for exactly this.`,
      });
    case "no":
      return notice({ tone: "info", title: "You said no.", body: "Nothing is made, and nothing is spent." });
    case "used": {
      const started = job_id === undefined ? undefined : jobPath(job_id);
      const made = workflow_id === undefined ? started : workflowPath(workflow_id);
      return notice({
        tone: "success",
        title: "It is being made.",
        body: html`<p>
            ${made === undefined ? "Your assistant has gone on." : "You said yes, which started it. Your assistant gets it when it asks once more."}
          </p>
          <p>
            ${linkButton({ href: made ?? JOBS_PATH, label: made === undefined ? "See your jobs" : "See it", kind: "quiet" })}
          </p>`,
      });
    }
    case "asked":
      return html`<p class="lead">
        ${work === undefined ? "The assistant or program that uses this key wants something made." : "Another service wants to charge this key for its work."}${" "}
        Nothing is spent before you say yes.${" "}
        ${starts ? "Your yes starts it." : `After your yes, tell it to go on: it ${work === undefined ? "starts this" : "holds the credits"} by asking once more.`}
      </p>`;
  }
}

function endedNotice(): Markup {
  return notice({
    tone: "info",
    title: "The key was revoked or has expired.",
    body: "Nothing will start, and nothing is spent. With another key, the next request asks you again.",
  });
}

function answerForm(person: Person, confirmation: ApprovalResource): Markup {
  const { confirmation_id, credits: price, state, starts } = confirmation;
  const yes = button({ label: `Yes, spend ${credits(price)}`, name: "answer", value: "yes" });
  const no = button({
    label: state === "yes" ? "Withdraw the approval" : "No",
    kind: "quiet",
    name: "answer",
    value: "no",
  });
  return html`<form class="cluster" method="post" action=${confirmPath(confirmation_id)}>
    ${csrfField(person)} ${(state !== "yes" || starts) && yes} ${state !== "no" && no}
  </form>`;
}

function askedJob(
  { modality, model_slug, prompt, params, callback_url, ...more }: AskedJob,
  modelLink: ModelLink,
): Markup {
  return html`<div class="card stack">
    <h3>${label(modality)}</h3>
    <p class="prompt">${prompt}</p>
    ${facts([
      ["Model", modelLink(model_slug)],
      ...Object.entries({ ...params, ...more }).map(([name, value]): Fact => [
        labelOf({ name }),
        inWords(name, value),
      ]),
      callback_url !== null && ["Webhook URL", html`<code>${callback_url}</code>`],
    ])}
  </div>`;
}
