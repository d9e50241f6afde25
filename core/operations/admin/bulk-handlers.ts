// The part of the Admin service for bulk actions: dry runs, runs and their progress.
import { invalidField } from "../../../proto/codes.ts";
import type { AdminDefinition } from "../../../proto/types/atelier/v1/Admin.ts";
import type { BulkInput } from "../../../proto/types/atelier/v1/Bulk.ts";
import type { BulkLeftInput } from "../../../proto/types/atelier/v1/BulkLeft.ts";
import type { BulkResultInput } from "../../../proto/types/atelier/v1/BulkResult.ts";
import { openRecord } from "../../identity/audit-trail/record-write.ts";
import type { App } from "../../kernel/app.ts";
import type { Call, Handlers } from "../../kernel/rpc.ts";
import type { Accepting } from "../../studio/jobs/retry.ts";
import { type Act, type LeftCount, whyWords } from "../bulk/acts.ts";
import { planBulk } from "../bulk/plan.ts";
import { findRunnable, getBulk, listBulks, resultOf, runBulk, type Running } from "../bulk/run.ts";
import type { BulkDoc, Result } from "../bulk/store.ts";

const PER_SECOND = 50;
const MAX_PER_SECOND = 1_000;
const NOTHING: Result = { acted: 0, credits: 0, left: [] };

export function bulkHandlers(app: App, accepting: Accepting) {
  return {
    PlanBulk: async (asked, call) => {
      const bulk = await planBulk(app, asked, call.operatorContext.operator.trim());
      return bulkMessage(bulk, NOTHING);
    },

    RunBulk: (request, call) => runOnRecord(app, accepting, request, call),

    GetBulk: async ({ bulk_id: id }) => bulkMessage(await getBulk(app, id), await resultOf(app, id)),

    ListBulks: async (request) => {
      const { rows, nextCursor } = await listBulks(app, request);
      const bulks = rows.map(async (bulk) => bulkMessage(bulk, await resultOf(app, bulk._id)));
      return { bulks: await Promise.all(bulks), next_cursor: nextCursor };
    },
  } satisfies Partial<Handlers<AdminDefinition>>;
}

/** One record for the whole run with its result; each item has a record of its own. */
async function* runOnRecord(
  app: App,
  accepting: Accepting,
  { bulk_id: id, act, per_second: asked }: { bulk_id: string; act: string; per_second: number },
  call: Call,
): AsyncGenerator<BulkInput> {
  const record = await openRecord(app, call, { target: id, detail: act, bulk: id });
  let last: Running | undefined;
  try {
    const perSecond = checkRate(asked);
    const bulk = await findRunnable(app, id, act);
    for await (last of runBulk(app, accepting, { bulk, perSecond, call }))
      yield { ...bulkMessage(last.bulk, last.result), later: leftMessages(bulk.act, last.later) };
    await record.close(last?.bulk.ended_at ? "done" : "stopped", last && inNumbers(last));
  } catch (error) {
    await record.fail(error);
    throw error;
  } finally {
    // The caller disconnected between two parts. Closed items stay closed.
    await record.close("stopped", last && inNumbers(last));
  }
}

function checkRate(perSecond: number): number {
  if (perSecond >= 0 && perSecond <= MAX_PER_SECOND) return perSecond || PER_SECOND;
  throw invalidField("per_second", `must be from 1 to ${MAX_PER_SECOND}`);
}

/** The form of the audit trail: before and after. */
function inNumbers({ bulk: { planned }, result }: Running): string {
  const left = result.left.reduce((sum, { count }) => sum + count, 0);
  return `planned ${planned.acted}, ${planned.credits} credits; done ${result.acted}, ${result.credits} credits; ${left} left alone`;
}

function bulkMessage(bulk: BulkDoc, done: Result): BulkInput {
  return {
    bulk_id: bulk._id,
    act: bulk.act,
    selection: bulk.selection,
    operator: bulk.operator ?? "",
    items: bulk.items,
    planned: resultMessage(bulk.act, bulk.planned),
    revived_credits: bulk.planned.revived,
    sample: [...bulk.planned.sample],
    created_at: bulk.created_at.toISOString(),
    started_at: bulk.started_at?.toISOString(),
    ended_at: bulk.ended_at?.toISOString(),
    done: resultMessage(bulk.act, done),
  };
}

function resultMessage(act: Act, { acted, credits, left }: Result): BulkResultInput {
  return { acted, credits, left: leftMessages(act, left) };
}

function leftMessages(act: Act, left: readonly LeftCount[]): BulkLeftInput[] {
  return left.map(({ why, count }) => ({ why, words: whyWords(act, why), count }));
}
