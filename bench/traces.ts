// What traces cost the code: nothing that can be measured while they are off, and a few microseconds a span while they are on. No database,
// no collector that answers: what is measured is what requests and jobs would wait for.
import { loadConfig } from "../runtime/config/config.ts";
import { openTracing } from "../runtime/ops/open-tracing.ts";
import { type Tracing, tracedBatch, tracedStep, tracedUnder } from "../runtime/log/tracing.ts";
import { printTable } from "./support/stats.ts";

const ROUNDS = 9;
const JOBS = 20_000;
const PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const work = async () => {};

/** What a job passes on its way, with nothing in between: accept, commit, run, call, store, settle, commit, deliver, send. */
async function job(tracing: Tracing | undefined): Promise<void> {
  await tracedUnder(tracing, PARENT, ["call", {}], () =>
    tracedStep(tracing, "accept job", {}, async (span) => tracedBatch(tracing, "commit", [span], work)),
  );
  await tracedUnder(tracing, PARENT, ["run job", {}], async () => {
    await tracedStep(tracing, "generate_content", {}, work);
    await tracedStep(tracing, "store outputs", {}, work);
    await tracedStep(tracing, "settle job", {}, async (span) => tracedBatch(tracing, "commit", [span], work));
  });
  await tracedUnder(tracing, PARENT, ["deliver callback", {}], () => tracedStep(tracing, "POST", {}, work));
}

/** The same without a word of traces. */
async function bareJob(): Promise<void> {
  await (async () => work())();
  await (async () => {
    await work();
    await work();
    await work();
  })();
  await (async () => work())();
}

/** Microseconds a job, the median of rounds that take turns. */
async function measure(ways: readonly (() => Promise<void>)[]): Promise<number[]> {
  const took = ways.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, way] of ways.entries()) {
      const started = performance.now();
      for (let n = 0; n < JOBS; n++) await way();
      took[i]?.push(((performance.now() - started) * 1000) / JOBS);
    }
  return took.map((each) => each.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0);
}

export async function run(): Promise<void> {
  const open = (env: Record<string, string>) =>
    openTracing(loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1", ...env }), "bench");
  const on = await open({});
  const unkept = await open({ OTEL_TRACES_SAMPLER: "always_off" });
  const rows = [
    ["no traces in the code", bareJob],
    ["off", () => job(undefined)],
    ["on, and none is kept", () => job(unkept?.tracing)],
    ["on, and all are kept", () => job(on?.tracing)],
  ] as const;
  const took = await measure(rows.map(([, way]) => way));
  printTable(
    ["", "µs a job"],
    rows.map(([name], i) => [name, (took[i] ?? 0).toFixed(2)]),
  );
  await Promise.all([on?.tracing.close(), unkept?.tracing.close()]);
}
