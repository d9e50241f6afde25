// Bulk actions: the dry run and its token, the run with its progress, and their output.
import { readFileSync } from "node:fs";
import type { Bulk } from "../proto/types/atelier/v1/Bulk.ts";
import type { BulkLeft } from "../proto/types/atelier/v1/BulkLeft.ts";
import type { BulkResult } from "../proto/types/atelier/v1/BulkResult.ts";
import type { PlanBulkRequestInput } from "../proto/types/atelier/v1/PlanBulkRequest.ts";
import { UsageError } from "./failure.ts";
import { count, counted, fields } from "./layout.ts";
import type { Cli } from "./session.ts";

/** The noun and verb of the command, its targets, and the texts of its result. */
const ACTS = {
  cancel: { command: "jobs cancel", one: "job", many: "jobs", done: "cancelled" },
  refund: { command: "jobs refund", one: "job", many: "jobs", done: "refunded" },
  retry: { command: "jobs retry", one: "job", many: "jobs", done: "retried" },
  redeliver: { command: "delivery resend", one: "delivery", many: "deliveries", done: "sent once more" },
  give_up: { command: "delivery give-up", one: "delivery", many: "deliveries", done: "given up" },
} as const;

export type Act = keyof typeof ACTS;

/** What every such command takes in addition to the selection. */
export type BulkOptions = { ids: string; idsFrom?: string; go?: string; rate: number };

export const BULK_HELP = `
Without --go it is a dry run: it moves nothing, and prints how many there are, some of them, and a token. With --go TOKEN it is done to
exactly those, and to nothing that fits since. It may be stopped or killed at any moment; the same command goes on, and nothing is done
twice. It can be begun within a day of the dry run. Exit code: 0 done, also where some were left alone; 1 refused, or ended halfway; 2 wrong
usage.`;

/** Longer than core searches for them. */
const PLAN_MS = 60_000;

/** Makes the dry run, or, with a token, does what it said. `idPattern` finds ids in a file, whatever else is in its lines. */
export async function actOnMany(
  cli: Cli,
  act: Act,
  { go, rate, ids, idsFrom, ...selection }: BulkOptions & Omit<PlanBulkRequestInput, "act" | "ids">,
  idPattern: RegExp,
): Promise<void> {
  if (go !== undefined) {
    const given = Object.entries({ ids, "ids-from": idsFrom ?? "", ...selection }).find(
      ([, value]) => value !== "",
    );
    if (given) throw new UsageError(`--go takes what its dry run said; leave out --${given[0]}.`);
    return run(cli, { act, bulkId: go, rate });
  }
  const named = [...ids.split(","), ...(idsFrom === undefined ? [] : readIds(idsFrom, idPattern))].filter(
    (id) => id !== "",
  );
  if ((ids !== "" || idsFrom !== undefined) && named.length === 0)
    throw new UsageError("There are no ids in it.");
  const bulk = await cli.withCore((core) =>
    core.admin.PlanBulk({ act, ids: [...new Set(named)], ...selection }, { deadlineMs: PLAN_MS }),
  );
  cli.show(bulk, planText(bulk));
}

function readIds(file: string, pattern: RegExp): string[] {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8").match(pattern) ?? [];
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

async function run(
  cli: Cli,
  { act, bulkId, rate }: { act: Act; bulkId: string; rate: number },
): Promise<void> {
  const last = await cli.withCore(async (core) => {
    let bulk: Bulk | undefined;
    for await (bulk of core.admin.RunBulk({ bulk_id: bulkId, act, per_second: rate })) {
      if (!bulk.ended_at) cli.note(bulk, progress(bulk));
    }
    return bulk;
  });
  if (last) cli.show(last, bulkText(last));
  if (last?.later.length)
    cli.fail("some may be accepted later; run the same command again then, and it goes on");
  else if (!last?.ended_at) cli.fail("it ended halfway; run the same command again, and it goes on");
}

function wordsOf({ act }: Pick<Bulk, "act">): (typeof ACTS)[Act] {
  return ACTS[act as Act];
}

function things(bulk: Bulk, number: number): string {
  const { one, many } = wordsOf(bulk);
  return counted(number, one, many);
}

function progress(bulk: Bulk): string {
  return `${count(looked(bulk.done))} of ${things(bulk, bulk.items)}: ${doneText(bulk)}`;
}

function looked(result: BulkResult | null): number {
  return (result?.acted ?? 0) + (result?.left ?? []).reduce((sum, one) => sum + one.count, 0);
}

export function doneText(bulk: Bulk): string {
  return `${things(bulk, bulk.done?.acted ?? 0)} ${wordsOf(bulk).done}${credits(bulk, bulk.done)}`;
}

/** Deliveries move no credits. */
function credits(bulk: Bulk, result: BulkResult | null): string {
  return wordsOf(bulk).one === "job" ? `, ${counted(result?.credits ?? 0, "credit")}` : "";
}

function leftLines(bulk: Bulk, name: string, left: readonly BulkLeft[] = []): (readonly [string, string])[] {
  return left.map(({ count: many, words }, i) => [i === 0 ? name : "", `${things(bulk, many)} ${words}`]);
}

export function planText(bulk: Bulk): string {
  const { bulk_id: id, planned, revived_credits: revived, sample } = bulk;
  const acted = planned?.acted ?? 0;
  return fields([
    ["dry run", `${wordsOf(bulk).command}: ${bulk.selection || "everything"}`],
    ["found", things(bulk, bulk.items)],
    ["would be", `${things(bulk, acted)} ${wordsOf(bulk).done}${credits(bulk, planned)}`],
    [
      "expired",
      revived > 0
        ? `${counted(revived, "credit")} of grants that have expired come back for 30 days`
        : undefined,
    ],
    ...leftLines(bulk, "left alone", planned?.left),
    ["such as", sample.join(" ") || undefined],
    ["token", id],
    ["to do it", acted > 0 ? goOn(bulk) : undefined],
  ]);
}

export function bulkText(bulk: Bulk): string {
  const { started_at: started, ended_at: ended, planned } = bulk;
  return fields([
    ["bulk", bulk.bulk_id],
    ["what", `${wordsOf(bulk).command}: ${bulk.selection || "everything"}`],
    ["planned", `${things(bulk, planned?.acted ?? 0)}${credits(bulk, planned)}`],
    ["done", doneText(bulk)],
    ...leftLines(bulk, "left alone", bulk.done?.left),
    ...leftLines(bulk, "for the next run", bulk.later),
    ["state", stateText(bulk)],
    ["to go on", started && !ended ? goOn(bulk) : undefined],
    ["on the trail", `npm run atelier -- audit-trail --bulk ${bulk.bulk_id}`],
  ]);
}

function goOn(bulk: Bulk): string {
  return `npm run atelier -- ${wordsOf(bulk).command} --go ${bulk.bulk_id} --reason "…"`;
}

export function stateText({ started_at: started, ended_at: ended, done, items }: Bulk): string {
  if (ended) return `done ${ended}`;
  return started ? `begun ${started}, ${count(looked(done))} of ${count(items)} processed` : "a dry run";
}
