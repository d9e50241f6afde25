// Holds, captures and releases for other internal services. Requests that wait at the same time are decided in one transaction.
import { createHash } from "node:crypto";
import { AppError } from "../../../proto/codes.ts";
import { isDatabaseAway } from "../../base/mongo/errors.ts";
import {
  type Batch,
  createGroupCommit,
  type Deadline,
  fulfilled,
  rejected,
} from "../../base/mongo/group-commit.ts";
import { inTx, type TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { countedAt, refuseCaps } from "../accounts/cap-rules.ts";
import { SpendingWrites } from "../accounts/caps.ts";
import { type LoadedAccount, loadAccounts, saveAccounts } from "../accounts/load.ts";
import { type Identity, isLiveKey, limitOf, monthOf, spentIn } from "../accounts/rules.ts";
import { noteAccount } from "../accounts/store-in-tx.ts";
import { findKeyOfAccount } from "../accounts/store-keys.ts";
import type { KeyDoc } from "../accounts/store.ts";
import { type Answers, findAnswers } from "../approvals/answers.ts";
import { tellLowCredits } from "../credits/low.ts";
import { insertEntries, type LedgerDoc } from "../credits/store.ts";
import {
  beginHold,
  captureHold,
  endHold,
  expireHold,
  type HoldStep,
  isSameHold,
  type NewHold,
  refuseNewHold,
  releaseHold,
  withoutExpired,
} from "./rules.ts";
import {
  findHolds,
  findHoldsByKeys,
  findServiceLimits,
  type HoldDoc,
  type HoldKey,
  saveHolds,
  saveServiceSpending,
  type ServiceLimitDoc,
} from "./store.ts";

/** One request about a hold. `service` is the calling service, from its token. */
export type HoldRequest =
  | { readonly kind: "hold"; readonly service: string; readonly newId: string; readonly wanted: NewHold }
  | { readonly kind: "capture"; readonly service: string; readonly holdId: string; readonly credits: number }
  | { readonly kind: "release"; readonly service: string; readonly holdId: string }
  /** By the sweep, and for an account that is closed. */
  | { readonly kind: "expire" | "close"; readonly holdId: string };

/**
 * Returns the hold as it is afterwards. Repeating a request changes nothing and returns the same. Errors: not_found, idempotency_mismatch,
 * invalid_request, hold_ended, account_suspended, spend_limit_reached, insufficient_credits, confirmation_required, confirmation_declined.
 */
export type DecideHold = (request: HoldRequest, deadline?: Deadline) => Promise<HoldDoc>;

const MAX_BATCH = 256;

export function createHoldQueue(app: App): DecideHold {
  return createGroupCommit<HoldRequest, HoldDoc>({
    maxBatch: MAX_BATCH,
    commit: (requests, batch) => decideHolds(app, requests, batch),
    isHopeless: isDatabaseAway,
    contention: app.mongo.contention,
  });
}

export async function decideHolds(
  app: App,
  requests: readonly HoldRequest[],
  { isWanted, ...batch }: Partial<Batch> = {},
): Promise<PromiseSettledResult<HoldDoc>[]> {
  const work = async (tx: TxContext) => {
    const writes = await readHolds(app, requests, tx);
    const results = requests.map((request, i): PromiseSettledResult<HoldDoc> => {
      if (isWanted && !isWanted(i)) return rejected(new AppError("deadline_exceeded"));
      const step = writes.decide(request);
      return step instanceof AppError ? rejected(step) : fulfilled(step);
    });
    await writes.commit();
    return results;
  };
  return inTx(app, work, batch);
}

/** A service that acts for a key of the account. */
type ForKey = { readonly identity: Identity; readonly sha256: string };

async function readHolds(app: App, requests: readonly HoldRequest[], tx: TxContext): Promise<HoldWrites> {
  const { db } = app.mongo;
  const holds = await findHolds(
    db,
    requests.flatMap((one) => (one.kind === "hold" ? [] : one.holdId)),
    tx,
  );
  const keys = requests.flatMap((one) =>
    one.kind === "hold" ? [{ service: one.service, key: one.wanted.key }] : [],
  );
  const byKey = new Map<string, string>();
  for (const hold of await findHoldsByKeys(db, keys, tx)) {
    holds.set(hold._id, hold);
    byKey.set(keyOf(hold), hold._id);
  }
  const services = [
    ...requests.flatMap((one) => ("service" in one ? one.service : [])),
    ...servicesOf(holds),
  ];
  const limits = await findServiceLimits(db, [...new Set(services)], tx);
  const accountIds = [
    ...requests.flatMap((one) => (one.kind === "hold" ? one.wanted.account : [])),
    ...[...holds.values()].map(({ account_id }) => account_id),
  ];
  const accounts = await loadAccounts(app, [...new Set(accountIds)], tx);
  const forKeys = new Map<string, ForKey>();
  for (const one of requests) {
    if (one.kind !== "hold" || one.wanted.key_id === undefined) continue;
    const loaded = accounts.get(one.wanted.account);
    const key = await findKeyOfAccount(db, { accountId: one.wanted.account, keyId: one.wanted.key_id }, tx);
    if (loaded && key)
      forKeys.set(one.newId, { identity: identityOf(loaded, key, tx.now), sha256: digestOf(one) });
  }
  const answers = await findAnswers(app, [...forKeys.values()], tx);
  return new HoldWrites(app, tx, { holds, byKey, limits, accounts, forKeys, answers });
}

function keyOf({ service, key }: HoldKey): string {
  return `${service}\n${key}`;
}

function servicesOf(holds: ReadonlyMap<string, HoldDoc>): string[] {
  return [...holds.values()].map(({ service }) => service);
}

function identityOf(loaded: LoadedAccount, key: KeyDoc, now: Date): Identity {
  return { ...loaded, key, scope: key.scope, ...limitOf(key, now) };
}

function digestOf({ service, wanted }: Extract<HoldRequest, { kind: "hold" }>): string {
  const { key, memo } = wanted;
  return createHash("sha256")
    .update(JSON.stringify(["hold", service, key, memo]))
    .digest("hex");
}

type Read = {
  readonly holds: Map<string, HoldDoc>;
  /** The ids of holds by service and key. */
  readonly byKey: Map<string, string>;
  readonly limits: Map<string, ServiceLimitDoc>;
  readonly accounts: { get(accountId: string): LoadedAccount | undefined };
  readonly forKeys: ReadonlyMap<string, ForKey>;
  readonly answers: Answers;
};

/** What one transaction on holds has read, and what it writes. */
class HoldWrites {
  readonly #app: App;
  readonly #tx: TxContext;
  readonly #read: Read;
  readonly #changed = new Map<string, HoldDoc>();
  readonly #entries: LedgerDoc[] = [];
  readonly #limits = new Map<string, ServiceLimitDoc>();
  readonly #spending: SpendingWrites;
  readonly #accounts = new Set<string>();

  constructor(app: App, tx: TxContext, read: Read) {
    this.#app = app;
    this.#tx = tx;
    this.#spending = new SpendingWrites(tx);
    this.#read = read;
  }

  decide(request: HoldRequest): HoldDoc | AppError {
    const { holds, byKey } = this.#read;
    if (request.kind === "hold") {
      const made = holds.get(byKey.get(keyOf({ ...request, key: request.wanted.key })) ?? "");
      return made ? replay(made, request.wanted) : this.#begin(request);
    }
    const hold = holds.get(request.holdId);
    if (!hold || ("service" in request && hold.service !== request.service))
      return new AppError("not_found", {
        message: "The service has no such hold.",
        hint: "Use the hold_id that Hold returned, with a token of the same service.",
      });
    const loaded = this.#account(hold.account_id);
    if (!loaded) throw new Error(`hold ${hold._id} is of an account that is not there`);
    const { account } = loaded;
    const at = this.#tx.now;
    if (request.kind === "capture") return this.#take(captureHold(account, hold, request.credits, at));
    if (request.kind === "release") return this.#take(releaseHold(account, hold, at));
    if (request.kind === "expire") return this.#take(expireHold(account, hold, at) ?? hold);
    return this.#take(hold.state === "held" ? endHold(account, hold, "released", at) : hold);
  }

  #begin({ service, newId: _id, wanted }: Extract<HoldRequest, { kind: "hold" }>): HoldDoc | AppError {
    const loaded = this.#account(wanted.account);
    if (!loaded || loaded.account.status === "deleted")
      return new AppError("not_found", {
        message: "There is no such account.",
        hint: "Send the account_id, which begins with acc_.",
      });
    const { now } = this.#tx;
    const month = monthOf(now);
    const limit = this.#limits.get(service) ?? this.#read.limits.get(service);
    const forKey = this.#read.forKeys.get(_id);
    const refusal =
      refuseNewHold(wanted, loaded.account, { service, limit, month }) ??
      (wanted.key_id === undefined ? undefined : this.#refuseKey(forKey, service, wanted));
    if (refusal) return refusal;
    const { limit: keyLimit } = forKey?.identity ?? {};
    const credits = wanted.amount;
    if (forKey) this.#spending.spend(forKey.identity, credits);
    if (limit)
      this.#limits.set(service, {
        ...limit,
        spent: { month, credits: spentIn(month, limit.spent) + credits },
      });
    return this.#take(
      beginHold(loaded.account, {
        _id,
        account_id: wanted.account,
        service,
        key: wanted.key,
        key_id: wanted.key_id ?? null,
        credits,
        memo: wanted.memo,
        month,
        ...(keyLimit && { counted_on: countedAt(keyLimit.key, now) }),
        created_at: now,
        expires_at: new Date(now.getTime() + wanted.expires_in * 1000),
      }),
    );
  }

  /** Applies the limits of the key. Its owner's approval is checked last, because it is used up. */
  #refuseKey(forKey: ForKey | undefined, service: string, { amount, memo }: NewHold): AppError | undefined {
    const key = forKey?.identity.key;
    if (!forKey || !key || !isLiveKey(key, this.#tx.now)) return new AppError("invalid_key");
    const refusal = refuseCaps(amount, this.#spending.caps(forKey.identity.limit), "The hold is of");
    if (refusal) return refusal;
    const asked = { credits: amount, jobs: [], work: `${service}: ${memo}` };
    return this.#read.answers.refuse(forKey, asked, undefined);
  }

  /** The account as this transaction has changed it so far, without credits that have expired. */
  #account(accountId: string): LoadedAccount | undefined {
    const loaded = this.#read.accounts.get(accountId);
    if (!loaded) return undefined;
    const { account, entries } = withoutExpired(loaded.account, this.#tx.now);
    if (entries.length > 0) this.#post(account, entries);
    return { ...loaded, account };
  }

  #take(step: HoldStep | HoldDoc | AppError): HoldDoc | AppError {
    if (step instanceof AppError || !("hold" in step)) return step;
    const { hold, account, entries, back } = step;
    if (entries.length === 0) return hold;
    this.#post(account, entries);
    this.#changed.set(hold._id, hold);
    this.#read.holds.set(hold._id, hold);
    this.#read.byKey.set(keyOf(hold), hold._id);
    if (back === 0) return hold;
    const limit = this.#limits.get(hold.service) ?? this.#read.limits.get(hold.service);
    if (limit?.spent?.month === hold.month)
      this.#limits.set(hold.service, {
        ...limit,
        spent: { month: hold.month, credits: limit.spent.credits - back },
      });
    if (hold.counted_on) this.#spending.refund({ ...hold.counted_on, credits: back });
    return hold;
  }

  #post(account: LoadedAccount["account"], entries: readonly LedgerDoc[]): void {
    noteAccount(this.#tx, account);
    this.#accounts.add(account._id);
    this.#entries.push(...entries);
  }

  async commit(): Promise<void> {
    const { db } = this.#app.mongo;
    const tx = this.#tx;
    const changed = [...this.#accounts].flatMap((id) => this.#read.accounts.get(id)?.account ?? []);
    await saveAccounts(this.#app, await tellLowCredits(this.#app, changed, tx), tx);
    await insertEntries(db, this.#entries, tx);
    await saveHolds(db, [...this.#changed.values()], tx);
    await saveServiceSpending(db, [...this.#limits.values()], tx);
    await this.#spending.commit(this.#app);
    await this.#read.answers.commit();
  }
}

function replay(hold: HoldDoc, wanted: NewHold): HoldDoc | AppError {
  return isSameHold(hold, wanted) ? hold : new AppError("idempotency_mismatch");
}
