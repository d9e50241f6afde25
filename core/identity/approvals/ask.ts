// Stores a request for approval when a request is refused for lack of it, with a mail to the owner, and refuses with the URL of the approval
// page.
import { AppError } from "../../../proto/codes.ts";
import { localTimes } from "../../../runtime/local-times.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { queueMail } from "../../kernel/mail/queue.ts";
import { findAccountsIn, saveApprovalMail } from "../accounts/store-in-tx.ts";
import { approvalMail, askedQuestion, isOpenAt, Unconfirmed } from "./rules.ts";
import { type ApprovalDoc, findApprovals, saveQuestion } from "./store.ts";

/**
 * Returns the result of `accept`. Without approval, throws confirmation_required with the approval's id and URL. No credits are held for
 * it: it is written outside the refused transaction. `confirmedId` is undefined unless the client itself asks its user, which makes a mail
 * unnecessary.
 */
export async function orAsk<T>(app: App, accept: () => Promise<T>, confirmedId?: string): Promise<T> {
  try {
    return await accept();
  } catch (error) {
    if (error instanceof Unconfirmed) throw await ask(app, error, confirmedId === undefined);
    throw error;
  }
}

async function ask(
  app: App,
  { question, message, numbers }: Unconfirmed,
  byMail: boolean,
): Promise<AppError> {
  const newId = app.newId("cnf");
  const { confirmation_id } = await inTx(app, (tx) =>
    putQuestion(app, askedQuestion(question, newId, tx.now), byMail, tx),
  );
  const confirm_url = urlOf(app, confirmation_id);
  return new AppError("confirmation_required", {
    message: `${message} They can do so at ${confirm_url} within 15 minutes.`,
    ...(numbers && { numbers }),
    facts: { confirmation_id, confirm_url },
  });
}

/** Stores it, unless the same one is open at the same price. Returns the stored one. */
async function putQuestion(
  app: App,
  asked: ApprovalDoc,
  byMail: boolean,
  tx: TxContext,
): Promise<ApprovalDoc> {
  const { db } = app.mongo;
  const [known] = await findApprovals(db, [asked._id], tx);
  if (known && isOpenAt(known, asked.credits, tx.now)) return known;
  await saveQuestion(db, asked, tx);
  if (byMail) await mailOwner(app, asked, known, tx);
  return asked;
}

/** One mail for all requests that wait. The account's document says which has it, so that two at the same time conflict. */
async function mailOwner(
  app: App,
  asked: ApprovalDoc,
  replaced: ApprovalDoc | undefined,
  tx: TxContext,
): Promise<void> {
  const { db } = app.mongo;
  const { account_id: accountId, confirmation_id, expires_at: until } = asked;
  const account = (await findAccountsIn(db, [accountId], tx)).get(accountId);
  if (!account || account.email === "") return;
  const { approval_mail: last, email: to, time_zone } = account;
  const isWaiting = last && last.until > tx.now && last.confirmation_id !== replaced?.confirmation_id;
  if (isWaiting) return;
  await saveApprovalMail(db, accountId, { confirmation_id, until }, tx);
  const mail = approvalMail(asked, {
    url: urlOf(app, confirmation_id),
    times: localTimes(time_zone),
    models: await app.models(),
  });
  const about = { accountId, kind: "key.approval", ref: confirmation_id, notAfter: until };
  await queueMail(app, tx, { ...about, to, ...mail });
}

function urlOf({ baseUrl }: App, approvalId: string): string {
  return `${baseUrl}/account/confirm/${approvalId}`;
}
