// Asks the user to approve a request above its key's threshold, if their client can show a form. Core knows the approval request and
// decides whether an approval counts; other clients get the refusal with the address of the approval page.
import { AppError } from "../../proto/codes.ts";
import { valueAt } from "../../runtime/json-object.ts";
import { type ClientInput, InputNeeded, showsForms } from "../protocol/client-input.ts";
import type { ToolContext } from "../protocol/tool.ts";

/** The name of the question in a round. There is never a second one. */
const QUESTION = "confirmation";
const YES = "confirm";

/**
 * Makes a request of core, with the id of the approval request that the user has approved in the client; an empty one tells core that the
 * client can ask, so that the owner gets no mail. Throws InputNeeded or core's AppErrors.
 */
export async function withApproval<T>(
  { input }: Pick<ToolContext, "input">,
  make: (approvedId: string | undefined) => Promise<T>,
): Promise<T> {
  const asks = showsForms(input.capabilities);
  try {
    return await make(readApproval(input) ?? (asks ? "" : undefined));
  } catch (error) {
    throw asks ? toQuestion(error) : error;
  }
}

/**
 * Returns the id of the approval request that the user has approved, or undefined if they have not been asked. Throws
 * confirmation_declined.
 */
function readApproval({ responses, state }: ClientInput): string | undefined {
  const answer = responses[QUESTION];
  if (!answer || state === undefined) return undefined;
  if (answer["action"] === "accept" && valueAt(answer, "content", YES) === true) return state;
  // A form that was closed without an answer is no approval; the user may be asked again.
  if (answer["action"] === "cancel") {
    throw new AppError("confirmation_declined", {
      message: "The user closed the question without answering.",
    });
  }
  throw new AppError("confirmation_declined");
}

/** Returns the question that replaces core's refusal. Any other error is returned unchanged. */
function toQuestion(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== "confirmation_required") return error;
  const { message, numbers, facts } = error;
  const approvalId = facts?.["confirmation_id"];
  if (approvalId === undefined) return error;
  return new InputNeeded({
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
  });
}
