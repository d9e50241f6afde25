// atelier jobs cancel | refund | retry, and bulk list | show
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import type { Bulk } from "../../proto/types/atelier/v1/Bulk.ts";
import type { BulkResult } from "../../proto/types/atelier/v1/BulkResult.ts";
import { UsageError } from "../failure.ts";
import { count, counted, fields, listing } from "../layout.ts";
import { time, wholeNumber } from "../parse.ts";
import type { Cli } from "../session.ts";

type Act = "cancel" | "refund" | "retry";

type Selection = {
  ids: string;
  account: string;
  state: string;
  model: string;
  provider: string;
  code: string;
  since: string;
  until: string;
};

type Options = Selection & { idsFrom?: string; go?: string; rate: number };

/** Longer than core looks for jobs. */
const PLAN_MS = 60_000;

const ACTS: Readonly<Record<Act, { what: string; help: string; done: string }>> = {
  cancel: {
    what: "cancel jobs that wait, or run at a provider that can stop; their credits come back in full",
    help: "Without --state those that wait or run.",
    done: "cancelled",
  },
  refund: {
    what: "give back what completed jobs cost; they keep what they made",
    help: "Without --state completed ones. Others have their credits back by themselves, and nothing is given back twice. Credits whose grant has expired meanwhile come back for 30 days.",
    done: "refunded",
  },
  retry: {
    what: "ask once more for what failed jobs were to make: new jobs at today's price, each naming the one before",
    help: "Without --state failed ones. A job is retried at most once. The new job is paid from the credits that came back with the failure.",
    done: "retried",
  },
};

const HELP = `
Without --go it is a dry run: it moves nothing, and prints how many jobs, how many credits, some of the jobs, and a token. With --go TOKEN
it is done to exactly those jobs, and to no job that fits since. It may be stopped or killed at any moment; the same command goes on,
and no job is done twice. It can be begun within a day of the dry run. Exit code: 0 done, also where some were left alone; 1 refused, or
ended halfway; 2 wrong usage.`;

export function addJobsCommands(program: Command, cli: Cli): void {
  const jobs = program
    .command("jobs")
    .description("cancel, refund or retry many jobs, after a dry run (needs --reason to act)");
  for (const act of ["cancel", "refund", "retry"] as const) addAct(jobs, cli, act);
  addBulkCommands(program, cli);
}

function addAct(jobs: Command, cli: Cli, act: Act): void {
  jobs
    .command(act)
    .description(ACTS[act].what)
    .option("--account <account>", "only jobs of this account", "")
    .option("--model <slug>", "only jobs of this model", "")
    .option("--provider <provider>", "only jobs that this provider made, or was to make", "")
    .option("--state <states>", "only these, with commas between", "")
    .option("--code <code>", "only jobs that failed with this code", "")
    .option("--since <time>", "only jobs made then or later", time, "")
    .option("--until <time>", "only jobs made before", time, "")
    .option("--ids <ids>", "these jobs, with commas between", "")
    .option("--ids-from <file>", "the jobs whose ids are in this file (- for standard input)")
    .option("--go <token>", "do what the dry run with this token said")
    .option("--rate <n>", "jobs a second, 1 to 1,000", wholeNumber, 50)
    .addHelpText("after", `\n${ACTS[act].help}\n${HELP}`)
    .action(async ({ go, rate, idsFrom, ...selection }: Options) => {
      if (go === undefined) return plan(cli, act, selection, idsFrom);
      const named = Object.entries(selection).find(([, value]) => value !== "")?.[0];
      if (named !== undefined || idsFrom !== undefined)
        throw new UsageError(`--go takes the jobs of its dry run; leave out --${named ?? "ids-from"}.`);
      return run(cli, { act, bulkId: go, rate });
    });
}

async function plan(cli: Cli, act: Act, { ids, ...selection }: Selection, idsFrom?: string): Promise<void> {
  const named = [...ids.split(","), ...(idsFrom === undefined ? [] : readIds(idsFrom))].filter(
    (id) => id !== "",
  );
  if ((ids !== "" || idsFrom !== undefined) && named.length === 0)
    throw new UsageError("There are no ids in it.");
  const bulk = await cli.withCore((core) =>
    core.admin.PlanBulk({ act, ids: [...new Set(named)], ...selection }, { deadlineMs: PLAN_MS }),
  );
  cli.show(bulk, planText(bulk));
}

/** Whatever else stands in the lines, such as a table that was printed before. */
function readIds(file: string): string[] {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8").match(/\bjob_[0-9A-Z]{26}\b/g) ?? [];
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
  if (!last?.ended_at) cli.fail("it ended halfway; run the same command again, and it goes on");
}

function progress({ act, items, done }: Bulk): string {
  return `${count(looked(done))} of ${counted(items, "job")}: ${doneText(act, done)}`;
}

function looked(result: BulkResult | null): number {
  return (result?.acted ?? 0) + (result?.left ?? []).reduce((sum, one) => sum + one.count, 0);
}

function doneText(act: string, result: BulkResult | null): string {
  const done = act in ACTS ? ACTS[act as Act].done : act;
  return `${counted(result?.acted ?? 0, "job")} ${done}, ${counted(result?.credits ?? 0, "credit")}`;
}

function leftLines(result: BulkResult | null): (readonly [string, string])[] {
  return (result?.left ?? []).map(({ count: many, words }, i) => [
    i === 0 ? "left alone" : "",
    `${counted(many, "job")} ${words}`,
  ]);
}

function planText(bulk: Bulk): string {
  const { bulk_id: id, act, planned, revived_credits: revived, sample } = bulk;
  const acted = planned?.acted ?? 0;
  return fields([
    ["dry run", `${act}: ${bulk.selection || "everything"}`],
    ["found", counted(bulk.items, "job")],
    [`would ${act}`, `${counted(acted, "job")}, ${counted(planned?.credits ?? 0, "credit")}`],
    ...(revived > 0
      ? ([
          ["expired", `${counted(revived, "credit")} of grants that have expired come back for 30 days`],
        ] as const)
      : []),
    ...leftLines(planned),
    ...(sample.length > 0 ? ([["such as", sample.join(" ")]] as const) : []),
    ["token", id],
    ...(acted > 0 ? ([["to do it", `npm run atelier -- jobs ${act} --go ${id} --reason "…"`]] as const) : []),
  ]);
}

function bulkText(bulk: Bulk): string {
  const { act, started_at: started, ended_at: ended, done } = bulk;
  return fields([
    ["bulk", bulk.bulk_id],
    ["what", `${act}: ${bulk.selection || "everything"}`],
    [
      "planned",
      `${counted(bulk.planned?.acted ?? 0, "job")}, ${counted(bulk.planned?.credits ?? 0, "credit")}`,
    ],
    ["done", doneText(act, done)],
    ...leftLines(done),
    ["state", stateOf(bulk)],
    ...(started && !ended
      ? ([["to go on", `npm run atelier -- jobs ${act} --go ${bulk.bulk_id} --reason "…"`]] as const)
      : []),
    ["on the trail", `npm run atelier -- audit-trail --bulk ${bulk.bulk_id}`],
  ]);
}

function stateOf({ started_at: started, ended_at: ended, done, items }: Bulk): string {
  if (ended) return `done ${ended}`;
  return started ? `begun ${started}, ${count(looked(done))} of ${count(items)} looked at` : "a dry run";
}

function addBulkCommands(program: Command, cli: Cli): void {
  const bulk = program.command("bulk").description("look at dry runs and at what was done by them");

  bulk
    .command("list")
    .description("list the bulks of the last 30 days, newest first")
    .option("--limit <n>", "bulks, 1 to 100", wholeNumber, 20)
    .option("--cursor <cursor>", "go on where an earlier answer ended", "")
    .action(async (page: { limit: number; cursor: string }) => {
      const { bulks, next_cursor: cursor } = await cli.withCore((core) => core.admin.ListBulks(page));
      const rows = bulks.map((one) => [
        one.bulk_id,
        one.act,
        one.selection,
        one.operator || "-",
        doneText(one.act, one.done),
        stateOf(one),
      ]);
      const header = ["BULK", "ACT", "WHAT", "BY", "DONE", "STATE"];
      cli.show({ bulks, next_cursor: cursor }, listing(header, rows, { nothing: "no bulks", cursor }));
    });

  bulk
    .command("show <bulk_id>")
    .description("show what one was to do, and how far it is")
    .action(async (id: string) => {
      const shown = await cli.withCore((core) => core.admin.GetBulk({ bulk_id: id }));
      cli.show(shown, shown.started_at ? bulkText(shown) : planText(shown));
    });
}
