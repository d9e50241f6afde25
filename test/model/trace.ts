// Traces of the model in money.qnt, as texts that are equal to those of the same state of the core.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";

/** The traces that `npm test` replays, made by `npm run model -- --keep`. */
export const KEPT = new URL("kept-traces.jsonl.gz", import.meta.url);

/** What was done: for the job or the first job of the workflow with this number, by this worker, with the result that the model expects. */
export type Step = { act: string; worker: number; job: number; arg: string; result: string };

/** What is then stored: `balance/held/seq`, and a text for each job and workflow. */
export type Seen = { books: string; jobs: readonly string[]; flows: readonly string[] };

export type Trace = readonly (Step & { seen: Seen })[];

export type SeenJob = {
  state: string;
  epoch: number;
  worker: number;
  lease: boolean;
  wish: boolean;
  overdue: boolean;
  charged: number;
  events: readonly string[];
  entries: readonly { kind: string; amount: number; hold: number }[];
};

export function tellJob(job: SeenJob): string {
  const state = {
    waiting: job.overdue ? "waiting too long" : "waiting",
    running: `running by worker ${job.worker}${job.lease ? "" : ", whose lease has ended"}`,
    completed: `completed for ${job.charged}`,
  }[job.state];
  const wish = job.wish ? ", to be cancelled" : "";
  const entries = job.entries.map(({ kind, amount, hold }) => `${kind} ${amount}/${hold}`);
  return `${state ?? job.state}${wish}, token ${job.epoch}: ${job.events.join(" ")}; ${entries.join(", ")}`;
}

export function tellFlow({ state, wish }: { state: string; wish: boolean }): string {
  return wish ? `${state}, to be cancelled` : state;
}

type ModelState = {
  books: {
    balance: number;
    held: number;
    seq: number;
    jobs: SeenJob[];
    flows: { state: string; wish: boolean }[];
  };
  last: Step;
};

/** A trace in Quint's Informal Trace Format (https://apalache-mc.org/docs/adr/015adr-trace.html), without its first state. */
export function readItf(text: string): Trace {
  const { states } = JSON.parse(text, (_key, value: unknown) => {
    const isNumber = typeof value === "object" && value !== null && "#bigint" in value;
    return isNumber ? Number(value["#bigint"]) : value;
  }) as { states: ModelState[] };
  return states.slice(1).map(({ books, last: { act, worker, job, arg, result } }) => ({
    act,
    worker,
    job,
    arg,
    result,
    seen: {
      books: `${books.balance}/${books.held}/${books.seq}`,
      jobs: books.jobs.map(tellJob),
      flows: books.flows.map(tellFlow),
    },
  }));
}

/** The events of each job at the end of a trace. */
export function eventsIn(trace: Trace): string[][] {
  const jobs = trace.at(-1)?.seen.jobs ?? [];
  return jobs.map((job) => /: (.*?);/.exec(job)?.[1]?.split(" ") ?? []);
}

/** Those in which the rarest things happen: a step with its result and the job's state after it. */
export function rarest(traces: readonly Trace[], count: number): Trace[] {
  const thingsIn = (trace: Trace) =>
    new Set(
      trace.map(({ act, arg, result, job, seen }) =>
        [act, arg, result, seen.jobs[job]?.replace(/:.*/, "")].join(),
      ),
    );
  const times = Map.groupBy(
    traces.flatMap((trace) => [...thingsIn(trace)]),
    (thing) => thing,
  );
  const rarity = (trace: Trace) =>
    [...thingsIn(trace)].reduce((sum, thing) => sum + 1 / (times.get(thing)?.length ?? 1), 0);
  return traces.toSorted((one, other) => rarity(other) - rarity(one)).slice(0, count);
}

/** Which model traces are of. */
export function hashModel(): string {
  return createHash("sha256")
    .update(readFileSync(new URL("money.qnt", import.meta.url)))
    .digest("hex");
}

export function writeTraces(file: string | URL, traces: readonly Trace[]): void {
  const lines = [hashModel(), ...traces].map((line) => JSON.stringify(line));
  writeFileSync(file, gzipSync(lines.join("\n"), { level: 9 }));
}

/** Throws if they are of another model. */
export function readTraces(file: string | URL): Trace[] {
  const [model, ...traces] = gunzipSync(readFileSync(file)).toString().split("\n");
  if (model !== JSON.stringify(hashModel()))
    throw new Error(
      "The traces are of another model than test/model/money.qnt: run npm run model -- --keep.",
    );
  return traces.map((line) => JSON.parse(line) as Trace);
}
