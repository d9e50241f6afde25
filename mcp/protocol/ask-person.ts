// Asking the person at the client in the middle of a call (multi round-trip requests, since 2026-07-28): the question that a refusal becomes,
// and how the answer is read that comes with the next round. Nothing is kept here in between: core knows the question.
import { CLIENT_CAPABILITIES_META_KEY, type InputRequiredResult } from "@modelcontextprotocol/server";
import { AppError } from "../../proto/codes.ts";
import { isObject, valueAt } from "../../runtime/json-object.ts";

/** Names the question among those of a round; there is never another one. */
const QUESTION = "confirmation";
const YES = "confirm";

/** What the person said: the id of the question that they said yes to, or why there is no yes. */
export type PersonsAnswer = { readonly confirmedId: string } | { readonly refusal: AppError };

/** Whether the `_meta` of a request declares forms for its person. A client that names no kind of question shows forms. */
export function declaresForms(meta: unknown): boolean {
  const elicitation = valueAt(meta, CLIENT_CAPABILITIES_META_KEY, "elicitation");
  return isObject(elicitation) && (isObject(elicitation["form"]) || !Object.hasOwn(elicitation, "url"));
}

/** The round that asks, where the refusal can be answered by a person; undefined for every other error. */
export function toQuestion({ code, message, numbers, facts }: AppError): InputRequiredResult | undefined {
  const approvalId = facts?.["confirmation_id"];
  if (code !== "confirmation_required" || approvalId === undefined) return undefined;
  return {
    resultType: "input_required",
    inputRequests: {
      [QUESTION]: {
        method: "elicitation/create",
        params: {
          mode: "form",
          message,
          requestedSchema: {
            type: "object",
            properties: {
              [YES]: { type: "boolean", title: `Yes, spend ${numbers?.["credits_required"]} credits` },
            },
            required: [YES],
          },
        },
      },
    },
    requestState: approvalId,
  };
}

/** The answer that a call brings along, if it does. It comes from the client: core decides what it is worth. */
export function readAnswer(params: Record<string, unknown> | undefined): PersonsAnswer | undefined {
  const answer = valueAt(params, "inputResponses", QUESTION);
  const confirmedId = valueAt(params, "requestState");
  if (!isObject(answer) || typeof confirmedId !== "string") return undefined;
  if (answer["action"] === "accept" && valueAt(answer, "content", YES) === true) return { confirmedId };
  // Closed without an answer is no yes; whoever closed it may still be asked again.
  if (answer["action"] === "cancel") {
    const message = "The user closed the question without answering.";
    return { refusal: new AppError("confirmation_declined", { message }) };
  }
  return { refusal: new AppError("confirmation_declined") };
}
