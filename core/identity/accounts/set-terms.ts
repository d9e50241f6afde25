// An operator's settings of an account: its plan, its suspension (core/identity/sessions), and its membership. All take effect with the
// next request; plan and status also with the next claim.
import { AppError } from "../../../proto/codes.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { accountNotFound, getAccount } from "./get-account.ts";
import { loadAccounts, type LoadedAccount } from "./load.ts";
import { planNow, turnOf, unknownPlan } from "./rules.ts";
import { saveAccountTerms, saveMembership } from "./store-in-tx.ts";
import { findPlans } from "./store-plans.ts";
import { type AccountDoc, type MembershipTerms } from "./store.ts";

/**
 * Moves an account to another plan. `account` is an id or an e-mail address. Running jobs continue even if the new plan allows fewer at a
 * time. `check` may refuse the change, in the same transaction. Throws not_found, and invalid_request for an unknown plan.
 */
export async function setPlan(
  app: App,
  account: string,
  planId: string,
  check?: TermsCheck,
): Promise<AccountDoc> {
  const plans = await findPlans(app.mongo.db);
  const plan = plans.get(planId);
  if (!plan) throw new AppError("invalid_request", { issues: [unknownPlan(plans)] });
  return changeTerms(
    app,
    account,
    (current) => {
      const moved = { ...current.account, plan: planId };
      return { account: moved, plan: planNow(moved, plans, app.clock.now()) ?? plan };
    },
    check,
  );
}

/** Called in the transaction that makes the change; it may refuse by throwing. */
export type TermsCheck = (accountId: string, tx: TxContext) => Promise<void>;

/**
 * Changes the membership with `change` and writes it. `account` is an id or an e-mail address. Throws not_found, and what `change` and
 * `check` throw.
 */
export async function changeMembership(
  app: App,
  account: string,
  change: (current: MembershipTerms | undefined) => MembershipTerms,
  check: TermsCheck = async () => {},
): Promise<AccountDoc> {
  const { _id: accountId } = await getAccount(app, account);
  return inTx(app, async (tx) => {
    const current = (await loadAccounts(app, [accountId], tx)).get(accountId);
    if (!current || current.account.status === "deleted") throw accountNotFound();
    const membership = change(current.account.membership);
    await saveMembership(app.mongo.db, accountId, membership, tx);
    await check(accountId, tx);
    return { ...current.account, membership };
  });
}

/** Moves an account that this transaction has read to another plan. */
export async function putPlan(app: App, tx: TxContext, account: AccountDoc, planId: string): Promise<void> {
  const moved = { ...account, plan: planId };
  const plan = planNow(moved, await findPlans(app.mongo.db, tx), tx.now);
  if (!plan) throw new Error(`there is no plan ${planId}`);
  const next = { ...moved, turn: turnOf(account, plan) };
  await saveAccountTerms(app.mongo.db, account._id, next, tx);
}

/** Writes the membership of an account that this transaction has read. */
export async function putMembership(
  app: App,
  tx: TxContext,
  { _id }: AccountDoc,
  membership: MembershipTerms,
): Promise<void> {
  await saveMembership(app.mongo.db, _id, membership, tx);
}

/** Changes plan and status with `change`, writes them, and runs `beside` in the same transaction. Throws not_found. */
export async function changeTerms(
  app: App,
  idOrEmail: string,
  change: (current: LoadedAccount) => LoadedAccount,
  beside: (accountId: string, tx: TxContext) => Promise<void> = async () => {},
): Promise<AccountDoc> {
  const { _id: accountId } = await getAccount(app, idOrEmail);
  const changed = await inTx(app, async (tx) => {
    const current = (await loadAccounts(app, [accountId], tx)).get(accountId);
    if (!current || current.account.status === "deleted") throw accountNotFound();
    const { account, plan } = change(current);
    const next = { ...account, turn: turnOf(account, plan) };
    await saveAccountTerms(app.mongo.db, accountId, next, tx);
    await beside(accountId, tx);
    return next;
  });
  if (changed.turn !== null) app.signals.emit("claimable");
  return changed;
}
