// The trial of a plan with the API: once for each mailbox, without a card and without its own credits. It ends automatically.
import { AppError } from "../../../proto/codes.ts";
import { TRIAL_DAYS, TRIED_PLAN } from "../../../proto/resources/model.ts";
import { type LocalTimes, localTimes } from "../../../runtime/local-times.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import type { PlanDoc } from "../../kernel/definitions.ts";
import { type MailWords, queueMail } from "../../kernel/mail/queue.ts";
import { getAccount } from "./get-account.ts";
import { loadAccounts } from "./load.ts";
import { planNow, turnOf } from "./rules.ts";
import { saveTrial } from "./store-in-tx.ts";
import { findMailbox, insertMailbox, saveMailbox } from "./store-mailboxes.ts";
import type { AccountDoc, Trial } from "./store.ts";
import { mailboxIdOf } from "./welcome-mailbox.ts";

const DAY_MS = 24 * 3_600_000;
/** The owner is reminded this long before its end. */
const REMIND_MS = 2 * DAY_MS;

/** included: the plan has the API anyway. paid: it is another that costs money. used: the account or its mailbox has had a trial before. none: there is no plan to try. */
export type TrialState = "offered" | "running" | "ended" | "used" | "included" | "paid" | "none";
export type TrialOffer = {
  readonly state: TrialState;
  readonly plan: PlanDoc | undefined;
  readonly trial: Trial | undefined;
};

/** What the account can try, or has tried. */
export async function describeTrial(app: App, accountId: string): Promise<TrialOffer> {
  const account = await getAccount(app, accountId);
  const plans = await app.plans();
  const mailbox = await findMailbox(app.mongo.db, await mailboxIdOf(app, account.email));
  const state = stateOf(account, plans, {
    hasMailboxTried: mailbox?.trial !== undefined,
    now: app.clock.now(),
  });
  return { state, plan: plans.get(TRIED_PLAN), trial: account.trial };
}

/** Starts the trial. A repeat while it runs changes nothing. Throws trial_unavailable. */
export async function startTrial(app: App, accountId: string): Promise<AccountDoc> {
  const { db } = app.mongo;
  const { email } = await getAccount(app, accountId);
  const mailboxId = await mailboxIdOf(app, email);
  const plans = await app.plans();
  const tried = await inTx(app, async (tx) => {
    const account = (await loadAccounts(app, [accountId], tx)).get(accountId)?.account;
    const mailbox = await findMailbox(db, mailboxId, tx);
    // The address changed in this moment.
    if (account?.email !== email) throw new AppError("service_unavailable", { retryAfterSeconds: 1 });
    const hasMailboxTried = mailbox?.trial !== undefined;
    const state = stateOf(account, plans, { hasMailboxTried, now: tx.now });
    if (state === "running") return account;
    if (state !== "offered") throw new AppError("trial_unavailable", { message: WHY_NOT[state] });
    const until = new Date(tx.now.getTime() + TRIAL_DAYS * DAY_MS);
    const begun = { ...account, trial: { plan: TRIED_PLAN, started_at: tx.now, until } };
    const plan = planNow(begun, plans, tx.now);
    if (!plan) throw new Error(`account ${accountId} has the unknown plan ${account.plan}`);
    const after = { ...begun, turn: turnOf(begun, plan) };
    await saveTrial(db, accountId, { trial: after.trial, turn: after.turn }, tx);
    const known = { _id: mailboxId, account_id: null, given_at: null, ...mailbox };
    const taken = { ...known, trial: { account_id: accountId, at: tx.now } };
    await (mailbox ? saveMailbox : insertMailbox)(db, taken, tx);
    const words = {
      name: plans.get(TRIED_PLAN)?.name ?? TRIED_PLAN,
      until,
      times: localTimes(account.time_zone),
      baseUrl: app.baseUrl,
    };
    const mail = { accountId, to: email, ref: accountId };
    await queueMail(app, tx, { ...mail, ...startedMail(words) });
    const remindAt = new Date(until.getTime() - REMIND_MS);
    await queueMail(app, tx, { ...mail, ...reminderMail(words), at: remindAt, notAfter: until });
    return after;
  });
  if (tried.turn !== null) app.signals.emit("claimable");
  return tried;
}

const WHY_NOT: Readonly<Record<Exclude<TrialState, "offered" | "running">, string>> = {
  ended: "The trial of this account has ended.",
  used: "Another account of this mailbox has had the trial.",
  included: "The plan of this account includes the API already.",
  paid: "The trial is for accounts on the free plan. Change the plan instead.",
  none: "There is no plan to try here.",
};

function stateOf(
  account: AccountDoc,
  plans: ReadonlyMap<string, PlanDoc>,
  { hasMailboxTried, now }: { hasMailboxTried: boolean; now: Date },
): TrialState {
  const { trial, plan } = account;
  if (plans.get(plan)?.api) return "included";
  if (trial) return now < trial.until ? "running" : "ended";
  if (!plans.get(TRIED_PLAN)?.api) return "none";
  if (plans.get(plan)?.price_cents !== 0) return "paid";
  return hasMailboxTried ? "used" : "offered";
}

type Words = {
  /** The plan's name. */
  readonly name: string;
  readonly until: Date;
  readonly times: LocalTimes;
  readonly baseUrl: string;
};
function startedMail({ name, until, times, baseUrl }: Words): MailWords {
  return {
    kind: "trial.started",
    subject: `Your trial of ${name} has begun`,
    text: `Until ${times.day(until)} you can call the API and run as many jobs at the same time as on ${name}. Your credits stay those of your own plan.

The trial costs nothing and needs no card. It ends on its own: then your account is back on its own plan, and API keys are refused.

Create a key: ${baseUrl}/account/keys
`,
  };
}

function reminderMail({ name, until, times, baseUrl }: Words): MailWords {
  return {
    kind: "trial.ending",
    subject: `Your trial of ${name} ends on ${times.day(until)}`,
    text: `Your trial of ${name} ends on ${times.time(until)}. From then on API keys are refused, unless your plan includes the API by then. Nothing is charged, and your work and your credits stay.

See the plans: ${baseUrl}/account/plan
`,
  };
}
