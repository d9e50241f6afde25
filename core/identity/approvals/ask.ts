// Writes a question down when a request is refused until a person has said yes, and refuses with the address where they can.
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { askedQuestion, Unconfirmed } from "./rules.ts";
import { putQuestion } from "./store.ts";

/**
 * What `accept` answers. Where a person has to confirm first, throws confirmation_required with the question's id and address. Nothing is
 * held for a question: it is written outside the transaction that refused.
 */
export async function orAsk<T>(app: App, accept: () => Promise<T>): Promise<T> {
  try {
    return await accept();
  } catch (error) {
    if (error instanceof Unconfirmed) throw await ask(app, error);
    throw error;
  }
}

async function ask(app: App, { question, message, numbers }: Unconfirmed): Promise<AppError> {
  const asked = askedQuestion(question, app.newId("cnf"), app.clock.now());
  const { confirmation_id } = await putQuestion(app.mongo.db, asked);
  const confirm_url = `${app.baseUrl}/account/confirm/${confirmation_id}`;
  return new AppError("confirmation_required", {
    message: `${message} They can do so at ${confirm_url} within 15 minutes.`,
    ...(numbers && { numbers }),
    facts: { confirmation_id, confirm_url },
  });
}
