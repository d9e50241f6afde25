// The user reads a request for approval of their account, and answers it.
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { answerUntil } from "./rules.ts";
import { type ApprovalDoc, findApproval, saveAnswer } from "./store.ts";

type Which = { readonly accountId: string; readonly approvalId: string };

/** Throws not_found for an expired one as for another account's. */
export async function getApproval(app: App, which: Which): Promise<ApprovalDoc> {
  return standing(await findApproval(app.mongo.db, which, app.clock.now()));
}

/**
 * The answer can be changed until a request has used it; after that nothing changes. An approval is valid for 15 minutes. Throws not_found
 * as getApproval does.
 */
export async function answerApproval(app: App, which: Which, yes: boolean): Promise<ApprovalDoc> {
  const now = app.clock.now();
  const answer = { state: yes ? ("yes" as const) : ("no" as const), expiresAt: answerUntil(now), now };
  return standing(await saveAnswer(app.mongo.db, which, answer));
}

function standing(found: ApprovalDoc | null): ApprovalDoc {
  if (found) return found;
  throw new AppError("not_found", {
    message: "This approval has expired or does not exist. Each one is open for 15 minutes.",
    hint: "Repeat the request: it asks again.",
  });
}
