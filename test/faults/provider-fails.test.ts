// Providers that fail, hang or return garbage, from the HTTP request to the ledger: the real AI SDK adapter against a faulty OpenAI server,
// and adapters with faults of their own.
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAiSdkProvider } from "../../core/adapters/providers/ai-sdk/provider.ts";
import type { Provider } from "../../core/adapters/providers/provider.ts";
import { jobs } from "../../core/studio/jobs/store.ts";
import { systemClock } from "../../runtime/clock.ts";
import { createLog } from "../../runtime/log/log.ts";
import {
  type Answer,
  sendBytes,
  sendError,
  sendImages,
  startOpenAiServer,
} from "../core/adapters/providers/openai-server.ts";
import { addTestModel, countParams, createCustomer } from "../support/app.ts";
import { createScriptedProvider } from "../support/providers.ts";
import { sharedByTests } from "../support/shared.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";

const SECRET = "sk-secret-1234";
const CREDITS = 100;
const PRICE = 10;

/** What each prompt makes the server do. */
const byPrompt = new Map<string, Answer>();
let service: WholeService;
let picture: Uint8Array;

const server = sharedByTests(() => startOpenAiServer());
beforeAll(async () => {
  server.answer((response, received) => byPrompt.get(String(received.body["prompt"]))?.(response, received));
  picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#336699" } })
    .png()
    .toBuffer();
  const broken = createScriptedProvider({
    answer: ({ prompt }, { onProgress }) => {
      onProgress(Number.NaN);
      if (prompt === "throws no error") throw undefined;
      if (prompt === "answers nothing") return undefined as never;
      if (prompt === "a call that never returns and ignores its signal") return new Promise(() => {});
      throw new TypeError(`cannot read ${SECRET} of https://api.internal.example`);
    },
  });
  service = await startWholeService({
    provider: broken,
    providers: [await openAi("openai", server.baseURL)],
  });
  for (const [what, name, kind] of FAILURES) await addOwnModel(what, name, kind);
  await addOwnModel("comes back", "openai", "picture");
});
afterAll(() => service.close());

const RUN_TIMEOUT_MS = { picture: 60_000, hurried: 6_000 };

/** Each has its own model, whose circuit breaker others do not open. */
const slugOf = (what: string) => what.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

async function addOwnModel(what: string, provider: string, kind: keyof typeof RUN_TIMEOUT_MS): Promise<void> {
  const model_slug = slugOf(what);
  await addTestModel(service.app, {
    model_slug,
    credits: PRICE,
    per: "image",
    params_schema: countParams,
    provider,
    provider_model: `gpt-image-1-${model_slug}`,
    run_timeout_ms: RUN_TIMEOUT_MS[kind],
  });
}

function openAi(name: string, baseURL: string): Promise<Provider> {
  const entry = { package: "@ai-sdk/openai", export: "createOpenAI", options: { baseURL, apiKey: SECRET } };
  return createAiSdkProvider(name, entry, { log: createLog("silent", "test"), clock: systemClock });
}

const hangs: Answer = () => {};
const SOME_TEXT: unknown = expect.any(String);

/** `tries` is the expected number of calls; 0 where it does not matter. */
type Failure = [
  what: string,
  provider: string,
  kind: keyof typeof RUN_TIMEOUT_MS,
  answer: Answer | undefined,
  code: unknown,
  message: unknown,
  tries: number,
];
/** One for each way in which a worker ends a job; the adapters' own tests show which errors of a provider lead to which. */
const FAILURES: Failure[] = [
  [
    "500 every time",
    "openai",
    "picture",
    sendError(500, null),
    "provider_unavailable",
    "The provider is unavailable at the moment.",
    4,
  ],
  [
    "a refusal of the content",
    "openai",
    "picture",
    sendError(400, "content_policy_violation"),
    "provider_refused",
    "The provider refused the prompt under its content policy.",
    1,
  ],
  [
    "HTML instead of JSON",
    "openai",
    "picture",
    sendBytes("text/html", Buffer.from("<h1>Bad gateway at 10.0.0.7</h1>")),
    "provider_bad_answer",
    SOME_TEXT,
    1,
  ],
  [
    "no response",
    "openai",
    "hurried",
    hangs,
    "provider_timeout",
    "The provider did not finish within 6 seconds.",
    1,
  ],
  ["throws no error", "test", "picture", undefined, "provider_failed", "The provider failed.", 0],
  ["answers nothing", "test", "picture", undefined, "provider_failed", "The provider failed.", 0],
  ["a bug in the adapter", "test", "picture", undefined, "provider_failed", "The provider failed.", 0],
  [
    "a call that never returns and ignores its signal",
    "test",
    "hurried",
    undefined,
    "provider_timeout",
    "The provider did not finish within 6 seconds.",
    0,
  ],
];

describe.concurrent("[PRV-01] [JOB-09] a job whose provider answers with", () => {
  test.each(FAILURES)(
    "%s: fails with a plain reason and a full refund",
    async (what, _provider, _kind, answer, code, message, tries) => {
      if (answer) byPrompt.set(what, answer);
      const { accountId, key } = await createCustomer(service.app, { credits: CREDITS });
      const job = await service.make(key, { model_slug: slugOf(what), prompt: what });

      expect(job).toMatchObject({
        state: "failed",
        error: { code, message },
        outputs: [],
        credits_reserved: PRICE,
        credits_charged: 0,
      });
      const types = job.events.map(({ type }) => type);
      expect(types.filter((type) => type !== "retrying")).toEqual([
        "reserved",
        "debited",
        "running",
        "refunded",
        "failed",
      ]);
      expect(job.events.map(({ seq }) => seq)).toEqual(types.map((_, i) => i + 1));
      if (tries > 0) {
        expect(types.filter((type) => type === "retrying")).toHaveLength(tries - 1);
        expect(server.received.filter((received) => received.body["prompt"] === what)).toHaveLength(tries);
      }
      // No internals, in the job as its owner reads it and as it is stored.
      const stored = await jobs(service.app.mongo.db).findOne({ account_id: accountId });
      for (const text of [JSON.stringify(job), JSON.stringify(stored?.error), JSON.stringify(stored?.events)])
        expect(text).not.toMatch(/sk-secret|internal\.example|10\.0\.0\.7|127\.0\.0\.1|TypeError|at \w+ \(/);

      const balance = await service.call("/api/credits/balance", { key });
      expect(balance.body["result"]).toMatchObject({ balance: CREDITS, held: 0, available: CREDITS });
      const entries = await service.ledger(key, job.job_id);
      expect(entries.map(({ kind, amount, hold }) => [kind, amount, hold])).toEqual([
        ["refund", PRICE, 0],
        ["debit", -PRICE, -PRICE],
        ["reserve", 0, PRICE],
      ]);
      const events = new Map(job.events.map(({ type, ledger_entry_id: id }) => [type, id]));
      expect([events.get("refunded"), events.get("debited"), events.get("reserved")]).toEqual(
        entries.map(({ entry_id }) => entry_id),
      );
    },
  );

  test("[PRV-02] a temporary provider failure is retried under one debit and one Idempotency-Key, and the job completes", async () => {
    let calls = 0;
    byPrompt.set("comes back", (response, received) => {
      calls += 1;
      const answer = calls < 3 ? sendError(503, null, { "retry-after-ms": "20" }) : sendImages(picture);
      answer(response, received);
    });
    const { key } = await createCustomer(service.app, { credits: CREDITS });
    const job = await service.make(key, { model_slug: slugOf("comes back"), prompt: "comes back" });
    expect(job).toMatchObject({
      state: "completed",
      credits_charged: PRICE,
      outputs: [{ mime_type: "image/png", width: 8 }],
    });
    expect(job.events.map(({ type }) => type)).toEqual([
      "reserved",
      "debited",
      "running",
      "retrying",
      "retrying",
      "completed",
    ]);
    const sent = server.received.filter((received) => received.body["prompt"] === "comes back");
    expect(sent.map(({ headers }) => headers["idempotency-key"])).toEqual(Array(3).fill(job.job_id));
  });
});

test("the audit is clean and no 5xx was logged after all tests", async () => {
  expect(await service.audit()).toEqual([]);
  expect(service.errors).toEqual([]);
});
