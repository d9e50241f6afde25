// atelier jobs cancel | refund | retry, and bulk list | show
import type { Command } from "commander";
import type { Bulk } from "../../proto/types/atelier/v1/Bulk.ts";
import { actOnMany, BULK_HELP, type BulkOptions, bulkText, doneText, planText, stateText } from "../bulk.ts";
import { type Columns, listing } from "../layout.ts";
import { time, wholeNumber } from "../parse.ts";
import type { Cli } from "../session.ts";

type JobAct = "cancel" | "refund" | "retry";

type Options = BulkOptions & {
  account: string;
  state: string;
  model: string;
  provider: string;
  code: string;
  since: string;
  until: string;
};

const JOB_ID = /\bjob_[0-9A-Z]{26}\b/g;

const ACTS: Readonly<Record<JobAct, { what: string; help: string }>> = {
  cancel: {
    what: "cancel waiting jobs, and running ones whose provider can stop; their credits are released or refunded in full",
    help: "Without --state those that wait or run.",
  },
  refund: {
    what: "refund completed jobs; they keep their outputs",
    help: "Without --state completed ones. Credits of the others were refunded automatically, and nothing is refunded twice. Credits whose grant has expired come back for 30 days.",
  },
  retry: {
    what: "repeat the requests of failed jobs: new jobs at the current price, each with the id of the failed one",
    help: "Without --state failed ones. A job is retried at most once. The new job is paid from the credits that came back with the failure.",
  },
};

export function addJobsCommands(program: Command, cli: Cli): void {
  const jobs = program
    .command("jobs")
    .description("cancel, refund or retry many jobs, after a dry run (needs --reason to act)");
  for (const act of ["cancel", "refund", "retry"] as const) addAct(jobs, cli, act);
  addBulkCommands(program, cli);
}

function addAct(jobs: Command, cli: Cli, act: JobAct): void {
  jobs
    .command(act)
    .description(ACTS[act].what)
    .option("--account <account>", "only jobs of this account", "")
    .option("--model <slug>", "only jobs of this model", "")
    .option("--provider <provider>", "only jobs of this provider", "")
    .option("--state <states>", "only these, separated by commas", "")
    .option("--code <code>", "only jobs that failed with this code", "")
    .option("--since <time>", "only jobs since this time", time, "")
    .option("--until <time>", "only jobs before this time", time, "")
    .option("--ids <ids>", "ids of jobs, separated by commas", "")
    .option("--ids-from <file>", "file with ids of jobs (- for standard input)")
    .option("--go <token>", "act on the dry run with this token")
    .option("--rate <n>", "jobs per second, 1 to 1,000", wholeNumber, 50)
    .addHelpText("after", `\n${ACTS[act].help}\n${BULK_HELP}`)
    .action((options: Options) => actOnMany(cli, act, options, JOB_ID));
}

function addBulkCommands(program: Command, cli: Cli): void {
  const bulk = program.command("bulk").description("show dry runs and their results");

  bulk
    .command("list")
    .description("list the bulk actions of the last 30 days, newest first")
    .option("--limit <n>", "number of rows, 1 to 100", wholeNumber, 20)
    .option("--cursor <cursor>", "next_cursor of the previous page", "")
    .action(async (page: { limit: number; cursor: string }) => {
      const { bulks, next_cursor: cursor } = await cli.withCore((core) => core.admin.ListBulks(page));
      const columns: Columns<Bulk> = {
        BULK: "bulk_id",
        ACT: "act",
        WHAT: "selection",
        BY: ({ operator }) => operator || "-",
        DONE: doneText,
        STATE: stateText,
      };
      cli.show({ bulks, next_cursor: cursor }, listing(bulks, columns, { nothing: "no bulks", cursor }));
    });

  bulk
    .command("show <bulk_id>")
    .description("show a bulk action and its progress")
    .action((id: string) =>
      cli.report(
        (core) => core.admin.GetBulk({ bulk_id: id }),
        (bulk) => (bulk.started_at ? bulkText(bulk) : planText(bulk)),
      ),
    );
}
