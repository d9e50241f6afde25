// atelier status | find | queue pause | resume
import type { Command } from "commander";
import type { Found } from "../../proto/types/atelier/v1/Found.ts";
import type { Pause } from "../../proto/types/atelier/v1/Pause.ts";
import type { QueueStatus } from "../../proto/types/atelier/v1/QueueStatus.ts";
import { apiKeyKind, hashApiKey } from "../../runtime/keys/api-key.ts";
import { type Columns, counted, fields, listing, onOneLine } from "../layout.ts";
import type { Cli } from "../session.ts";

export function addConsoleCommands(program: Command, cli: Cli): void {
  program
    .command("status")
    .description("show the queue and what is paused")
    .action(() =>
      cli.report(
        (core) => core.admin.GetStatus({}),
        ({ queue, pauses }) => [queueText(queue), pausesText(pauses)].join("\n\n"),
      ),
    );

  program
    .command("find <word>")
    .description(
      "look up an id, an email address or its beginning, a part of a name, a key or its last four characters, a product's slug, a receipt number or a request id",
    )
    .addHelpText(
      "after",
      "\nA whole key is hashed here; it is not sent. Names, ends of keys and request ids are looked for among the newest 20,000.",
    )
    .action(async (word: string) => {
      const { found } = await cli.withCore((core) =>
        core.admin.Find(apiKeyKind(word) ? { key_sha256: hashApiKey(word) } : { word }),
      );
      const hits = found.map((hit) => ({ ...hit, next: nextCommand(hit) }));
      const columns = { KIND: "kind", ID: "id", WHAT: "what", NEXT: "next" } as const;
      cli.show(hits, listing(hits, columns, { nothing: `nothing is known as ${onOneLine(word)}` }));
      if (hits.length === 0) cli.exitWith(1);
    });

  addQueueCommands(program, cli);
}

function addQueueCommands(program: Command, cli: Cli): void {
  const queue = program.command("queue").description("pause and resume all waiting jobs (needs --reason)");

  queue
    .command("pause")
    .description("start no waiting job at any worker until the queue is resumed; running jobs continue")
    .option(
      "--refuse",
      "also refuse new requests with 503 and Retry-After; without it, they are accepted and wait",
    )
    .addHelpText(
      "after",
      "\nA job that waits for 24 hours fails as always, and its credits come back. It holds through restarts.",
    )
    .action(({ refuse = false }: { refuse?: boolean }) =>
      cli.report((core) => core.admin.PauseQueue({ refuse }), queueText),
    );

  queue
    .command("resume")
    .description("start waiting jobs again and accept new ones")
    .action(() => cli.report((core) => core.admin.ResumeQueue({}), queueText));
}

const QUEUE_STATES: Readonly<Record<string, string>> = {
  open: "open",
  paused: "paused: no waiting job starts; new requests are accepted and wait",
  closed: "paused: no waiting job starts, and new requests are refused",
};

function queueText(queue: QueueStatus | null): string {
  const { state = "", since, waiting = 0, running = 0, oldest_waiting_seconds: oldest = 0 } = queue ?? {};
  return fields([
    ["queue", QUEUE_STATES[state] ?? state],
    ["since", since],
    [
      "waiting",
      waiting === 0 ? "no job" : `${counted(waiting, "job")}, the oldest for ${Math.round(oldest)} s`,
    ],
    ["running", running === 0 ? "no job" : counted(running, "job")],
  ]);
}

function pausesText(pauses: readonly Pause[]): string {
  const columns: Columns<Pause> = {
    PAUSED: "kind",
    NAME: ({ name }) => name || "-",
    EFFECT: "effect",
    BY: ({ operator }) => operator || "-",
    SINCE: ({ at }) => at || "-",
    REASON: ({ reason }) => reason || "-",
    "TO END IT": ({ kind, name }) => [kind, "resume", name].filter((part) => part !== "").join(" "),
  };
  return listing(pauses, columns, { nothing: "nothing is paused" });
}

/** The next command for a closer look, without `npm run atelier --`. */
export function nextCommand({ kind, id, account_id: account, job_id: job }: Found): string {
  switch (kind) {
    case "account":
      return `account show ${id}`;
    case "key":
      return `key list ${account}`;
    case "member key":
      return `member-key list ${account}`;
    case "job":
      return `job show ${id}`;
    case "delivery":
      // A delivery without a job is a test event.
      return job ? `job show ${job}` : `account show ${account}`;
    case "ledger entry":
      return `ledger ${account}`;
    case "licence":
      return `licence list ${account}`;
    case "bulk":
    case "order":
    case "subscription":
    case "ticket":
      return `${kind} show ${id}`;
    case "product":
      return `product file list ${id}`;
    case "model":
    case "provider":
      return `${kind} list`;
    default:
      return `audit-trail`;
  }
}
