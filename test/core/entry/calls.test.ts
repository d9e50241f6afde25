// Calls over streams get the same results as unary calls.
import type { Metadata } from "@grpc/grpc-js";
import { describe, expect, test } from "vitest";
import type { Call } from "../../../core/kernel/rpc.ts";
import type { CallOptions, CoreClient } from "../../../proto/client.ts";
import { AppError, ERROR_TABLE } from "../../../proto/codes.ts";
import { serviceRefusalOf } from "../../../proto/errors.ts";
import { countAlone, type Served, serveJobs, untilStreaming } from "../../support/served.ts";
import { goodToken, type ServedJobs } from "../../support/start-served.ts";
import { waitFor } from "../../support/wait-for.ts";

const WAYS = ["unary", "over a stream", "in the process"] as const;
type Way = (typeof WAYS)[number];

/** A client whose next call uses this transport; counts only later unary calls. */
async function clientOf(
  served: Served,
  way: Way,
  options: Parameters<Served["client"]>[0] = {},
): Promise<{ client: CoreClient; wentAlone(): boolean }> {
  const client = served.client({ ...options, isInner: way === "in the process" });
  if (way === "over a stream") await untilStreaming(client);
  const alone = countAlone();
  const before = alone();
  return { client, wentAlone: () => alone() > before };
}

type Outcome = {
  reply?: object;
  code?: string;
  error?: object;
  cause?: object;
  refusal?: string | undefined;
};

async function outcomeOf(work: Promise<object>): Promise<Outcome> {
  try {
    return { reply: await work };
  } catch (error) {
    if (!(error instanceof AppError)) return { error: error as object };
    const { code, message, hint, issues, numbers, facts, retryAfterSeconds, cause } = error;
    const { metadata, ...rest } = (cause ?? {}) as { code?: number; details?: string; metadata?: Metadata };
    const trailers = metadata?.getMap()["grpc-status-details-bin"];
    return {
      code,
      error: { message, hint, issues, numbers, facts, retryAfterSeconds },
      cause: { code: rest.code, details: rest.details, trailers },
      refusal: serviceRefusalOf(error),
    };
  }
}

const WANTED = {
  modality: "image",
  model_slug: "m",
  prompt: "ein Möbelhaus — 🏠",
  params_json: "{}",
  metadata: {},
};
const KEY = { kind: "key", keySha256: "ab".repeat(32), source: "api" } as const;

type Case = {
  what: string;
  jobs: ServedJobs;
  ask?: (client: CoreClient) => Promise<object>;
  client?: Parameters<Served["client"]>[0];
  expected: object;
};

const never = () => new Promise<never>(() => {});
const ask =
  (options: CallOptions = {}) =>
  (client: CoreClient) =>
    client.jobs.GetJob({ job_id: "job_1" }, options);

const getJob = (handler: () => object | Promise<object>): ServedJobs => ({ GetJob: async () => handler() });
const generate = (length: number) => (client: CoreClient) =>
  client.jobs.Generate({ ...WANTED, prompt: "x".repeat(length) });
const thrown = (error: Error) => () => {
  throw error;
};
const SHORT = {
  message: "Zu wenig — 💸",
  numbers: { balance: 3, required: 10 },
  facts: { plan: "free" },
  issues: [{ path: "params.count", message: "is too much" }],
  retryAfterSeconds: 7,
};
const TOO_LARGE = { code: "internal", cause: { code: 8 } };
const AS_ACCOUNT = { caller: { kind: "account", accountId: "acc_1", source: "app" } } as const;

const CASES: readonly Case[] = [
  {
    what: "a response with every kind of character",
    jobs: { GetJob: async ({ job_id }) => ({ job_id, prompt: WANTED.prompt }) },
    expected: { reply: { job_id: "job_1", prompt: WANTED.prompt } },
  },
  {
    what: "a response of several megabytes",
    jobs: getJob(() => ({ prompt: "é".repeat(2_000_000) })),
    expected: { reply: { prompt: "é".repeat(2_000_000) } },
  },
  { what: "an empty response", jobs: getJob(() => ({})), expected: { reply: { job_id: "" } } },
  {
    what: "a request of nearly a megabyte",
    jobs: { Generate: async ({ prompt }) => ({ job_id: String(prompt.length) }) },
    ask: generate(1_000_000),
    expected: { reply: { job_id: "1000000" } },
  },
  {
    what: "a request that is too large",
    jobs: { Generate: never },
    ask: generate(1_100_000),
    expected: TOO_LARGE,
  },
  {
    what: "a response that is too large",
    jobs: getJob(() => ({ prompt: "x".repeat(17_000_000) })),
    expected: TOO_LARGE,
  },
  {
    what: "an error of the table, with issues, numbers, details and a wait",
    jobs: getJob(thrown(new AppError("insufficient_credits", SHORT))),
    expected: { code: "insufficient_credits", error: SHORT },
  },
  {
    what: "a bug, reported as internal only",
    jobs: getJob(thrown(new TypeError("secret words"))),
    expected: { code: "internal", error: { message: ERROR_TABLE.internal.message } },
  },
  {
    what: "an exceeded deadline",
    jobs: { GetJob: never },
    ask: ask({ deadlineMs: 60 }),
    expected: { code: "deadline_exceeded", error: { retryAfterSeconds: 2 } },
  },
  {
    what: "a cancelled call",
    jobs: { GetJob: never },
    ask: (client) => ask({ signal: AbortSignal.timeout(60) })(client),
    expected: { error: { name: "TimeoutError" } },
  },
  {
    what: "a service token without the right to this service",
    jobs: { GetJob: never },
    client: { token: goodToken(["Models"]) },
    expected: { code: "internal", refusal: "service_scope_missing", cause: { code: 7 } },
  },
  {
    what: "an account named without the right to act for it",
    jobs: { GetJob: never },
    ask: ask(AS_ACCOUNT),
    client: { token: goodToken(["Jobs"]) },
    expected: { refusal: "service_may_not_act" },
  },
];

describe("[RPC-08] a call gets the same response", () => {
  test.each(CASES.flatMap((one) => WAYS.map((way) => ({ ...one, way }))))(
    "$way: $what",
    async ({ way, jobs, ask: make = ask(), client: options, expected }) => {
      const served = await serveJobs(jobs);
      const alone = await clientOf(served, "unary", options);
      const byItself = await outcomeOf(make(alone.client));
      const { client, wentAlone } = await clientOf(served, way, options);
      const outcome = await outcomeOf(make(client));
      expect(outcome).toMatchObject(expected);
      expect({ ...outcome, cause: { ...outcome.cause, details: 0 } }).toEqual({
        ...byItself,
        cause: { ...byItself.cause, details: 0 },
      });
      expect(wentAlone()).toBe(way === "unary");
    },
  );

  test.each(WAYS)("%s: core receives the service, the account, the source and the deadline", async (way) => {
    const heard: Call[] = [];
    const served = await serveJobs({
      GetJob: async (_request, call) => {
        heard.push(call);
        return {};
      },
    });
    const { client } = await clientOf(served, way, {
      operatorContext: { operator: "Zoë", reason: "ticket — 7" },
    });
    heard.length = 0;
    const untilMs = performance.now() + 20_000;
    await client.jobs.GetJob(
      { job_id: "j" },
      { caller: KEY, requestId: "req_1", address: "::1", deadlineMs: 20_000 },
    );
    expect(heard).toEqual([
      expect.objectContaining({
        caller: KEY,
        requestId: "req_1",
        address: "::1",
        service: "test",
        operatorContext: { operator: "Zoë", reason: "ticket — 7" },
      }),
    ]);
    expect(Math.abs((heard[0]?.untilMs ?? 0) - untilMs)).toBeLessThan(5_000);
  });

  test.each(WAYS)("%s: the handler's signal is aborted when the caller cancels", async (way) => {
    const signals: AbortSignal[] = [];
    const served = await serveJobs({
      GetJob: (_request, { signal }) => {
        signals.push(signal);
        return never();
      },
    });
    const { client } = await clientOf(served, way);
    const leaving = new AbortController();
    const asked = client.jobs.GetJob(
      { job_id: "j" },
      // Long enough that the handler is aborted by the client and not by the deadline.
      { signal: leaving.signal, deadlineMs: 60_000 },
    );
    await waitFor("the handler to begin", async () => signals.length === 1);
    leaving.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
    await waitFor("the handler to hear of it", async () => signals[0]?.aborted === true);
  });
});
