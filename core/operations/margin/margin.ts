// The operator's earnings in a month: replays the ledger of each account with movements, and joins its jobs and the costs of their calls.
import { accountsAfter, type ListedAccount } from "../../identity/accounts/list-ids.ts";
import { monthOf } from "../../identity/accounts/rules.ts";
import { replayLedger } from "../../identity/credits/read.ts";
import type { LedgerDoc } from "../../identity/credits/store.ts";
import type { App } from "../../kernel/app.ts";
import { pricesOfOrders } from "../../shop/orders/list-orders.ts";
import { costsOfAccount } from "../../studio/costs/costs.ts";
import type { CostDoc } from "../../studio/costs/store.ts";
import { readAllSteps } from "../../studio/jobs/steps.ts";
import { Lots, orderOf, type Revenue } from "./lots-rules.ts";
import { type MarginBy, type MarginLine, MarginTable, monthRange, type Place } from "./margin-rules.ts";
import { KEPT_BY, saveMargin, takeMargin } from "./store.ts";

const ACCOUNTS_PER_BATCH = 100;
const MOVEMENTS_PER_BATCH = 500;
/** The outcome of a call may be recorded this long after its job was charged. */
const LATE_MS = 2 * 24 * 60 * 60 * 1000;
/** The model and provider of movements without a job. */
const NO_JOB = "-";
/** The provider that runs on the operator's own machines. */
const EMBEDDED = "local";

type Month = { readonly since: Date; readonly until: Date };

/** One table for each of `by`. Accounts are read one after the other, so figures of a running month may differ slightly in time. */
export async function sumMargins<By extends MarginBy>(
  app: App,
  month: Month,
  by: readonly By[],
  signal?: AbortSignal,
): Promise<Record<By, MarginLine[]>> {
  const tables = by.map((one) => new MarginTable(one));
  for (let after: string | undefined = ""; after !== undefined;) {
    const accounts: ListedAccount[] = await accountsAfter(app, after, ACCOUNTS_PER_BATCH);
    for (const account of accounts) {
      signal?.throwIfAborted();
      const isQuiet = account.newestAt !== undefined && account.newestAt < month.since;
      if (account.entries > 0 && !isQuiet) await addAccount(app, tables, account, month);
    }
    after = accounts.at(-1)?.accountId;
  }
  return Object.fromEntries(tables.map((table, i) => [by[i], table.lines()])) as Record<By, MarginLine[]>;
}

type Movement = { readonly entry: LedgerDoc; readonly revenue: Revenue };

async function addAccount(
  app: App,
  tables: readonly MarginTable[],
  { accountId, plan }: ListedAccount,
  month: Month,
): Promise<void> {
  const orders = await pricesOfOrders(app, accountId);
  const lots = new Lots((entryId) => orders.get(orderOf(entryId) ?? ""));
  const place = { account: accountId, plan, model: NO_JOB, provider: NO_JOB };
  const costed = await addCosts(app, tables, place, month);
  let movements: Movement[] = [];
  const flush = async () => {
    await addMovements(app, tables, { place, movements, costed });
    movements = [];
  };
  for await (const entry of replayLedger(app, accountId)) {
    if (entry.created_at >= month.until) break;
    const revenue = lots.next(entry);
    if (entry.created_at >= month.since && movements.push({ entry, revenue }) >= MOVEMENTS_PER_BATCH)
      await flush();
  }
  await flush();
}

/** Returns the jobs with a call of known cost. */
async function addCosts(
  app: App,
  tables: readonly MarginTable[],
  place: Place,
  { since, until }: Month,
): Promise<ReadonlySet<string>> {
  const costed = new Set<string>();
  const late = new Date(until.getTime() + LATE_MS);
  for await (const cost of costsOfAccount(app, {
    accountId: place.account,
    since,
    until: late,
  })) {
    if (cost.micros !== undefined) costed.add(cost.job_id);
    if (cost.at < until) for (const table of tables) table.cost({ ...place, ...makerOf(cost) }, cost);
  }
  return costed;
}

function makerOf({ model_slug, provider }: CostDoc): Pick<Place, "model" | "provider"> {
  return { model: model_slug, provider };
}

async function addMovements(
  app: App,
  tables: readonly MarginTable[],
  { place, movements, costed }: { place: Place; movements: readonly Movement[]; costed: ReadonlySet<string> },
): Promise<void> {
  const ids = [...new Set(movements.flatMap(({ entry }) => entry.job_id ?? []))];
  const jobs = await readAllSteps(app, place.account, ids);
  for (const { entry, revenue } of movements) {
    const { kind, job_id: jobId, amount } = entry;
    const job = jobs.get(jobId ?? "");
    const at = job
      ? { ...place, model: job.model_slug, provider: job.call?.provider ?? job.provider }
      : place;
    for (const table of tables) {
      if (kind === "debit") table.captured(at, -amount, revenue);
      else if (kind === "refund") table.refunded(at, amount, revenue);
      else if (kind === "expire") table.expired(at, -amount);
      if (kind === "debit" && job && at.provider !== EMBEDDED && !costed.has(job._id)) table.uncosted(at);
    }
  }
}

const EVERY_MS = 6 * 60 * 60 * 1000;

/** Does nothing if another worker has computed them, or begun to, in the last hours. */
export async function keepMargin(app: App, signal?: AbortSignal): Promise<void> {
  const now = app.clock.now();
  const before = new Date(now.getTime() - EVERY_MS);
  if (!(await takeMargin(app.mongo.db, { before, now }))) return;
  const month = monthOf(now);
  const range = monthRange(month);
  if (range)
    await saveMargin(app.mongo.db, { month, at: now, lines: await sumMargins(app, range, KEPT_BY, signal) });
}
