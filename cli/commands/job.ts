// atelier job list | show | cancel
import { type Command, InvalidArgumentError, Option } from "commander";
import { fromMessage, fromMessages } from "../../proto/codec.ts";
import {
  jobSchema,
  JOB_STATES,
  type JobResource,
  MODALITIES,
  shortfallInWords,
} from "../../proto/resources/job.ts";
import type { Job } from "../../proto/types/atelier/v1/Job.ts";
import { type Columns, count, fields, listing, onOneLine, table } from "../layout.ts";
import { time, wholeNumber } from "../parse.ts";
import type { Cli } from "../session.ts";

type ListOptions = {
  limit: number;
  cursor: string;
  state: string;
  modality: string;
  model: string;
  since: string;
  until: string;
  metadata: Record<string, string>;
};

export function addJobCommands(program: Command, cli: Cli): void {
  const job = program.command("job").description("show and cancel jobs");

  job
    .command("list <account>")
    .description("list an account's jobs, newest first")
    .option("--state <states>", `only these states, separated by commas: ${JOB_STATES.join(", ")}`, "")
    .addOption(new Option("--modality <modality>", "only these").choices(MODALITIES).default("", "all"))
    .option("--model <slug>", "only jobs of this model", "")
    .option("--since <time>", "only jobs since this time", time, "")
    .option("--until <time>", "only jobs before this time", time, "")
    .option("--metadata <name=value>", "only jobs with this metadata pair; can be repeated", addPair, {})
    .option("--limit <n>", "number of rows, 1 to 100", wholeNumber, 50)
    .option("--cursor <cursor>", "next_cursor of the previous page", "")
    .action(async (account: string, options: ListOptions) => {
      const page = await cli.withCore((core) => core.admin.ListAccountJobs({ account, ...options }));
      const jobs = fromMessages(jobSchema, page.jobs);
      const { next_cursor } = page;
      cli.show({ jobs, next_cursor }, listing(jobs, COLUMNS, { nothing: "no jobs", cursor: next_cursor }));
    });

  job
    .command("show <job_id>")
    .description("show one job of any account with its events")
    .action((jobId: string) =>
      cli.report(async (core) => jobOf(await core.admin.GetAnyJob({ job_id: jobId })), jobText),
    );

  job
    .command("cancel <job_id>")
    .description(
      "cancel a waiting job, or a running one whose provider can stop; its credits are released or refunded in full",
    )
    .action((jobId: string) =>
      cli.report(async (core) => jobOf(await core.admin.CancelAnyJob({ job_id: jobId })), jobText),
    );
}

const COLUMNS: Columns<JobResource> = {
  JOB: "job_id",
  STATE: "state",
  MODEL: "model_slug",
  CHARGED: "credits_charged",
  CREATED: "created_at",
  ERROR: ({ error }) => error?.code ?? "",
};

function jobOf(message: Job): JobResource {
  return fromMessage(jobSchema, message);
}

function addPair(text: string, pairs: Record<string, string>): Record<string, string> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It is written name=value.");
  return { ...pairs, [text.slice(0, at)]: text.slice(at + 1) };
}

function jobText(job: JobResource): string {
  const { error, callback } = job;
  const outputs = job.outputs.map(
    ({ mime_type, bytes, deleted_at }) =>
      `${mime_type}, ${count(bytes)} bytes${deleted_at ? `, deleted ${deleted_at}` : ""}`,
  );
  const facts = fields([
    ["job", job.job_id],
    ["state", job.state],
    ["model", `${job.model_slug} (${job.modality})`],
    ["prompt", onOneLine(job.prompt)],
    ["source", job.source],
    ["credits", `${count(job.credits_reserved)} reserved, ${count(job.credits_charged)} charged`],
    ["delivered", shortfallInWords(job)],
    ["created", job.created_at],
    ["ended", job.ended_at ?? "not yet"],
    ["error", error ? `${error.code}: ${onOneLine(error.message)}` : undefined],
    ["callback", callback ? onOneLine(`${callback.url} (${callback.status})`) : undefined],
    ...outputs.map((output) => ["output", output] as const),
  ]);
  return [facts, table(job.events.map(({ seq, at, type }) => [`#${seq}`, at, type]))].join("\n\n");
}
