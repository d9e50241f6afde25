// The user reads a request for approval of their account, and answers it.
import { AppError } from "../../../proto/codes.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { raiseThreshold } from "../accounts/change-key.ts";
import { clearApprovalMail } from "../accounts/store-in-tx.ts";
import { answerUntil, raisedBy } from "./rules.ts";
import { type ApprovalDoc, findApproval, findWaiting, saveAnswer } from "./store.ts";

const MAX_OTHERS = 20;

type Which = { readonly accountId: string; readonly approvalId: string };

/** Throws not_found for an expired one as for another account's. */
export async function getApproval(app: App, which: Which): Promise<ApprovalDoc> {
  return standing(await findApproval(app.mongo.db, which, app.clock.now()));
}

/** The newest requests of the account that wait for approval, newest first. */
export async function listWaiting(app: App, accountId: string): Promise<ApprovalDoc[]> {
  return findWaiting(app.mongo.db, accountId, { now: app.clock.now(), limit: MAX_OTHERS + 1 });
}

/** The same without one of them. */
export async function listOthers(app: App, { accountId, approvalId }: Which): Promise<ApprovalDoc[]> {
  const waiting = await listWaiting(app, accountId);
  return waiting.filter(({ confirmation_id }) => confirmation_id !== approvalId).slice(0, MAX_OTHERS);
}

/**
 * The answer can be changed until a request has used it; after that nothing changes. An approval is valid for 15 minutes. With `raiseTo`, in
 * credits, a yes raises the threshold of the key for an hour; a no ends that. Throws invalid_request, and not_found as getApproval and
 * raiseThreshold do.
 */
export async function answerApproval(
  app: App,
  which: Which,
  yes: boolean,
  raiseTo?: number,
): Promise<ApprovalDoc> {
  const { db } = app.mongo;
  return inTx(app, async (tx) => {
    const asked = standing(await findApproval(db, which, tx.now, tx));
    if (asked.state === "used") return asked;
    const answered: ApprovalDoc = { ...asked, state: yes ? "yes" : "no", expires_at: answerUntil(tx.now) };
    const raised = yes && raiseTo !== undefined ? raisedBy(asked, raiseTo, tx.now) : undefined;
    if (raised || !yes) await raiseThreshold(app, asked, raised, tx);
    await saveAnswer(db, answered, tx);
    await clearApprovalMail(db, asked, tx);
    return answered;
  });
}

function standing(found: ApprovalDoc | null): ApprovalDoc {
  if (found) return found;
  throw new AppError("not_found", {
    message: "This approval has expired or does not exist. Each one is open for 15 minutes.",
    hint: "Repeat the request: it asks again.",
  });
}
