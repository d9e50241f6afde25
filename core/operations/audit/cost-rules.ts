// The invariants of provider costs, checked only against stored data. This file is pure.
import type { CostDoc } from "../../studio/costs/store.ts";

/** The findings about a cost of this account. `owner` is the account of its job; undefined if the job is archived or missing. */
export function checkCost(
  accountId: string,
  cost: CostDoc,
  { owner, mayBeArchived }: { owner: string | undefined; mayBeArchived: boolean },
): string[] {
  const { _id, job_id: jobId, micros, currency, basis, outcome, outputs } = cost;
  const where = `cost ${_id}`;
  const wrong: string[] = [];
  if (owner === undefined && !mayBeArchived) wrong.push(`${where}: its job ${jobId} is not there`);
  else if (owner !== undefined && owner !== accountId)
    wrong.push(`${where}: its job ${jobId} is of account ${owner}`);
  if (!_id.startsWith(`cst_${jobId.slice("job_".length)}_`))
    wrong.push(`${where}: is named after another job than ${jobId}`);
  if (micros !== undefined && !(Number.isSafeInteger(micros) && micros >= 0))
    wrong.push(`${where}: costs ${micros} millionths`);
  if ((micros === undefined) !== (currency === undefined) || (micros === undefined) !== (basis === undefined))
    wrong.push(
      `${where}: says ${micros ?? "no sum"} of ${currency ?? "no currency"}, by ${basis ?? "no one"}`,
    );
  if (outcome === "made" ? outputs < 1 : outputs !== 0)
    wrong.push(`${where}: is ${outcome} with ${outputs} outputs`);
  if (outcome === "failed" && basis === "rate" && micros !== 0)
    wrong.push(`${where}: a call that failed costs ${micros} millionths by the operator's rates`);
  return wrong;
}
