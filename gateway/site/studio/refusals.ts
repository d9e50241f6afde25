// The Generate form after a refusal: the reason, the fields concerned, and all typed values.
import type { FastifyReply } from "fastify";
import { type AppError, ERROR_TABLE } from "../../../proto/codes.ts";
import { renderPage } from "../layout/render-page.ts";
import { type Draft, issuesByField, type Model, newDraft } from "./draft.ts";
import { generatePage, type GenerateView, type Refusal } from "./generate-page.ts";

export const MODEL_GONE: Refusal = {
  message: "This model does not exist, or is no longer offered.",
  hint: "Choose one of these.",
  fields: new Map(),
};

export const INPUT_GONE: Refusal = {
  message: "That file cannot be worked from.",
  hint: "It is not kept any more, or no model takes a file of its kind at the moment.",
  fields: new Map(),
};

export function sendRefused(reply: FastifyReply, view: GenerateView, error: AppError): FastifyReply {
  if (error.retryAfterSeconds !== undefined) reply.header("retry-after", Math.ceil(error.retryAfterSeconds));
  return renderPage(reply, {
    ...generatePage({
      ...view,
      draft: draftAfter(view.draft, view.model, error),
      refusal: refusalOf(error, view.model),
    }),
    status: ERROR_TABLE[error.code].http,
  });
}

/** The key stays, because only the response of a first try may have been lost; a refused key is replaced. */
function draftAfter(draft: Draft, model: Model, { code }: AppError): Draft {
  return code === "idempotency_mismatch"
    ? { ...draft, idempotencyKey: newDraft(model).idempotencyKey }
    : draft;
}

function refusalOf(error: AppError, model: Model): Refusal {
  if (error.code === "idempotency_mismatch") {
    return {
      message: "This form has made a job already.",
      hint: "Press Generate again to make another one with the current settings.",
      fields: new Map(),
    };
  }
  const issues =
    error.code === "callback_url_refused"
      ? [{ path: "callback_url", message: `cannot be called from here. ${error.hint}`.replace(/\.$/, "") }]
      : (error.issues ?? []);
  return { message: error.message, hint: error.hint, fields: issuesByField(issues, model) };
}
