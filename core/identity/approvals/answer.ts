// A person reads a question of their account, and answers it.
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { answerUntil } from "./rules.ts";
import { type ConfirmationDoc, findConfirmation, saveAnswer } from "./store.ts";

type Which = { readonly accountId: string; readonly confirmationId: string };

/** Throws not_found for one that is over just as for another account's. */
export async function getConfirmation(app: App, which: Which): Promise<ConfirmationDoc> {
  return standing(await findConfirmation(app.mongo.db, which, app.clock.now()));
}

/**
 * The answer can be changed until a request has used it; after that nothing changes. A yes is good for 15 minutes. Throws not_found as
 * getConfirmation does.
 */
export async function answerConfirmation(app: App, which: Which, yes: boolean): Promise<ConfirmationDoc> {
  const now = app.clock.now();
  const answer = { state: yes ? ("yes" as const) : ("no" as const), expiresAt: answerUntil(now), now };
  return standing(await saveAnswer(app.mongo.db, which, answer));
}

function standing(found: ConfirmationDoc | null): ConfirmationDoc {
  if (found) return found;
  throw new AppError("not_found", {
    message: "This question is over, or was never asked. Each one stands for 15 minutes.",
    hint: "Repeat the request: it asks again.",
  });
}
