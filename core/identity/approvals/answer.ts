// A person reads a question of their account, and answers it.
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { answerUntil } from "./rules.ts";
import { type ApprovalDoc, findApproval, saveAnswer } from "./store.ts";

type Which = { readonly accountId: string; readonly approvalId: string };

/** Throws not_found for one that is over just as for another account's. */
export async function getApproval(app: App, which: Which): Promise<ApprovalDoc> {
  return standing(await findApproval(app.mongo.db, which, app.clock.now()));
}

/**
 * The answer can be changed until a request has used it; after that nothing changes. A yes is good for 15 minutes. Throws not_found as
 * getApproval does.
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
