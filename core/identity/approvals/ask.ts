// Stores a request for approval when a request is refused for lack of it, and refuses with the URL of the approval page.
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { askedQuestion, Unconfirmed } from "./rules.ts";
import { putQuestion } from "./store.ts";

/**
 * Returns the result of `accept`. Without approval, throws confirmation_required with the approval's id and URL. No credits are held for
 * it: it is written outside the refused transaction.
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
