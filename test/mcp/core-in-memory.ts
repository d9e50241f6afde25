// A core in memory: keys, models and jobs of the test.
import type { Guide } from "../../edge/guide.ts";
import { JOB, ME } from "../../gateway/openapi/examples.ts";
import type { CallOptions } from "../../proto/client.ts";
import { toMessage } from "../../proto/codec.ts";
import { AppError } from "../../proto/codes.ts";
import { apiKeySchema } from "../../proto/resources/api-key.ts";
import { jobSchema } from "../../proto/resources/job.ts";
import type { ApiKey } from "../../proto/types/atelier/v1/ApiKey.ts";
import type { Balance } from "../../proto/types/atelier/v1/Balance.ts";
import type { GenerateReply } from "../../proto/types/atelier/v1/GenerateReply.ts";
import type { Job } from "../../proto/types/atelier/v1/Job.ts";
import type { JobEvent } from "../../proto/types/atelier/v1/JobEvent.ts";
import type { LedgerEntry } from "../../proto/types/atelier/v1/LedgerEntry.ts";
import type { Model } from "../../proto/types/atelier/v1/Model.ts";
import type { Plan } from "../../proto/types/atelier/v1/Plan.ts";
import { generateApiKey, hashApiKey } from "../../runtime/keys/api-key.ts";
import { createFakeCore, type FakeCore } from "../support/fake-core.ts";

export type CoreInMemory = FakeCore & {
  /** Creates a key that Authenticate accepts, or refuses with `refusal`. */
  addKey(refusal?: AppError, kind?: "gen" | "mem"): string;
  /** From now on the key is refused with this. */
  refuse(key: string, refusal: AppError): void;
  /** Throws unless the caller's key is accepted. */
  checkKey(options: CallOptions): void;
  jobs: Map<string, Job>;
  /** Bytes of files by id. */
  files: Map<string, Uint8Array>;
  /** Completes a job and wakes its waiters. */
  complete(jobId: string): void;
  /** Adds an event to a job and wakes its watchers. */
  addEvent(jobId: string, type: string, detail?: object): void;
};

export const ENDPOINTS = {
  catalog: "http://atelier.test/mcp",
  generation: "http://generate.atelier.test/api/mcp",
  member: "http://atelier.test/api/member/mcp",
  connectPage: "http://atelier.test/connect",
  site: "http://atelier.test",
};

/** The docs' variables where no endpoint is started. */
export const GUIDE: Guide = {
  chapters: [{ slug: "quickstart", group: "Start", title: "Quickstart", lead: "You begin.", body: "Begin." }],
  limits: [],
};

export const AT = "2026-01-02T03:04:05.000Z";

export const MODEL: Model = {
  model_slug: "canvas-one",
  name: "Canvas One",
  modality: "image",
  description: "Composes a picture.",
  credits: 4,
  per: "image",
  pricing: { version: 1, unit: "image", default: 4, rules: [] },
  estimated_seconds: 2,
  max_prompt_length: 4000,
  params_schema_json: JSON.stringify({
    type: "object",
    properties: { width: { type: "integer", default: 1024 } },
  }),
  status: "live",
  provider: "local",
};

const PLAN: Plan = {
  plan: "pro",
  name: "Pro",
  concurrency: 5,
  api: true,
  monthly_credits: 5000,
  price_usd: 29,
};

// gRPC turns an absent list into an empty one.
const KEY = ME.key && { ...toMessage<typeof apiKeySchema, ApiKey>(apiKeySchema, ME.key), caps: [] };

export const BALANCE: Balance = {
  balance: 96,
  held: 6,
  available: 90,
  ledger_seq: 3,
  ledger_hash: "3".repeat(64),
  grants: [
    {
      grant_id: "led_2",
      kind: "other",
      left: 40,
      expires_at: "2026-03-31T00:00:00.000Z",
    },
  ],
  next_grant_at: "2026-02-28T00:00:00.000Z",
  missing_welcome: "",
  key: null,
};

/** Newest first. */
export const LEDGER: readonly LedgerEntry[] = [
  ledgerEntry(3, { kind: "reserve", amount: 0, hold: 6, held_after: 6, job_id: "job_1", key_id: "key_1" }),
  ledgerEntry(2, { kind: "grant", amount: 50, hold: 0, held_after: 0, memo: "a present", expires_at: AT }),
  ledgerEntry(1, { kind: "grant", amount: 50, hold: 0, held_after: 0, balance_after: 50 }),
];

/** The methods that check the caller's key, as the real core does in each of its calls, for tools that rely on that. */
const CHECKING = [
  "jobs.Generate",
  "jobs.GetJob",
  "jobs.ListJobs",
  "models.ListModels",
  "credits.GetBalance",
  "credits.ListLedger",
] as const;

/** `keys` are the digests of its keys with their refusals; two cores can have the same. */
export function createCoreInMemory(keys = new Map<string, AppError | undefined>()): CoreInMemory {
  const jobs = new Map<string, Job>();
  const files = new Map<string, Uint8Array>();
  /** By Idempotency-Key. */
  const keyed = new Map<unknown, string>();
  const woken = new EventTarget();

  function checkKey({ caller }: CallOptions): void {
    if (caller?.kind !== "key" || !keys.has(caller.keySha256)) throw new AppError("invalid_key");
    const refusal = keys.get(caller.keySha256);
    if (refusal) throw refusal;
  }

  function find(request: Record<string, unknown>): Job {
    const job = jobs.get(String(request["job_id"]));
    if (!job) throw new AppError("job_not_found");
    return job;
  }

  async function untilChanged(signal: AbortSignal | undefined, timeoutMs: number): Promise<void> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const either = AbortSignal.any([timeout, ...(signal ? [signal] : [])]);
    await new Promise<void>((resolve) => {
      woken.addEventListener("changed", () => resolve(), { once: true });
      either.addEventListener("abort", () => resolve(), { once: true });
    });
    signal?.throwIfAborted();
  }

  const fake = createFakeCore({
    "accounts.Authenticate": async (_request, options) => {
      checkKey(options);
      return { account_id: "acc_1", key_id: "key_1", scope: "write", plan: "pro" };
    },
    "models.ShowModels": async () => ({ models: [MODEL] }),
    "models.ListPlans": async () => ({ plans: [PLAN] }),
    "models.ListModels": async ({ modality }) => ({
      models: modality === "" || modality === "image" ? [MODEL] : [],
    }),
    "jobs.Generate": async (request) => accept(request),
    "jobs.GetJob": async (request, { signal }) => {
      const end = Date.now() + Number(request["wait_seconds"] ?? 0) * 1000;
      while (find(request).ended_at === undefined && Date.now() < end)
        await untilChanged(signal, end - Date.now());
      return find(request);
    },
    "jobs.ListJobs": async ({ limit, cursor, state, modality }) => {
      const fitting = [...jobs.values()].filter(
        (job) => [job.state, ""].includes(String(state)) && [job.modality, ""].includes(String(modality)),
      );
      const { items, next_cursor } = toPage(fitting.toReversed(), limit, cursor);
      return { jobs: items, next_cursor };
    },
    "jobs.CancelJob": async (request) => {
      const job = find(request);
      if (job.state === "cancelled") return job;
      if (job.state !== "reserved")
        throw new AppError("job_not_cancellable", { message: `The job has ended: it is ${job.state}.` });
      Object.assign(job, { state: "cancelled", ended_at: AT, queue_position: undefined });
      addEvent(job.job_id, "released");
      addEvent(job.job_id, "cancelled");
      return job;
    },
    "jobs.ReadOutput": async function* ({ output_id, length }) {
      const bytes = files.get(String(output_id));
      if (!bytes) throw new AppError("not_found");
      yield { head: null, data: Buffer.alloc(0) };
      yield { head: null, data: Buffer.from(bytes).subarray(0, Number(length)) };
    },
    "jobs.WatchJob": async function* (request, { signal, onBegin }): AsyncGenerator<JobEvent> {
      find(request);
      onBegin?.();
      for (let seen = Number(request["after_seq"] ?? 0); ;) {
        const { events, ended_at } = find(request);
        yield* events.slice(seen);
        seen = Math.max(seen, events.length);
        if (ended_at !== undefined) return;
        await untilChanged(signal, 60_000);
      }
    },
    "credits.GetBalance": async ({ with_key }) => ({
      ...BALANCE,
      key: with_key === true ? KEY : null,
    }),
    "credits.ListLedger": async ({ limit, cursor, with_balance }) => {
      const { items, next_cursor } = toPage(LEDGER, limit, cursor);
      const balance = with_balance === true ? BALANCE : null;
      return { entries: items, next_cursor, of_jobs: [], balance };
    },
  });

  for (const method of CHECKING) {
    const answer = fake.standing[method];
    fake.standing[method] = async (request, options) => {
      checkKey(options);
      return answer?.(request, options);
    };
  }

  function accept(request: Record<string, unknown>): GenerateReply {
    const idempotencyKey = request["idempotency_key"];
    const same = jobs.get(keyed.get(idempotencyKey) ?? "");
    const job = same ?? createJob(`job_${jobs.size + 1}`, request);
    jobs.set(job.job_id, job);
    if (idempotencyKey !== undefined) keyed.set(idempotencyKey, job.job_id);
    const { job_id, modality, model_slug, credits_reserved, estimated_seconds } = job;
    return {
      job_id,
      state: "reserved",
      modality,
      model_slug,
      credits_reserved,
      estimated_seconds,
      replayed: same !== undefined,
    };
  }

  function change(jobId: string, edit: (job: Job) => void): void {
    edit(find({ job_id: jobId }));
    woken.dispatchEvent(new Event("changed"));
  }

  function addEvent(jobId: string, type: string, detail: object = {}): void {
    change(jobId, (job) => {
      job.events.push({
        seq: job.events.length + 1,
        type,
        state: job.state,
        at: AT,
        ...(OF_LEDGER.has(type) && { ledger_entry_id: `ent_${type}` }),
        detail_json: JSON.stringify(detail),
      });
    });
  }

  return {
    ...fake,
    jobs,
    files,
    addEvent,
    checkKey,
    refuse: (key, refusal) => void keys.set(hashApiKey(key), refusal),
    addKey(refusal, kind = "gen") {
      const key = generateApiKey(kind);
      keys.set(hashApiKey(key), refusal);
      return key;
    },
    complete(jobId) {
      change(jobId, (job) => Object.assign(job, { state: "running", queue_position: undefined }));
      addEvent(jobId, "debited");
      addEvent(jobId, "running");
      change(jobId, (job) => {
        const output = {
          output_id: "out_1",
          url: "https://atelier.example/out_1?sig=x",
          mime_type: "image/png",
          bytes: 1234,
          sha256: "ab".repeat(32),
          width: 64,
          height: 32,
          expires_at: AT,
          thumbnails: [],
          content_credentials: "signed",
        };
        Object.assign(job, {
          state: "completed",
          credits_charged: 4,
          delivered: { unit: "image", asked: 1, got: 1 },
          started_at: AT,
          ended_at: AT,
          outputs: [output],
        });
      });
      addEvent(jobId, "completed");
    },
  };
}

/** Events with a ledger entry. */
const OF_LEDGER = new Set(["debited", "released"]);

/** Cursors are the number of items before the page. */
function toPage<T>(all: readonly T[], limit: unknown, cursor: unknown): { items: T[]; next_cursor: string } {
  const start = Number(cursor);
  const end = start + Number(limit);
  return { items: all.slice(start, end), next_cursor: end < all.length ? String(end) : "" };
}

function ledgerEntry(seq: number, rest: Partial<LedgerEntry> & Pick<LedgerEntry, "kind">): LedgerEntry {
  return {
    entry_id: `ent_${seq}`,
    seq,
    amount: 0,
    hold: 0,
    balance_after: 100,
    held_after: 0,
    source: rest.kind === "grant" ? "system" : "mcp",
    created_at: AT,
    prev_hash: String(seq - 1).repeat(64),
    hash: String(seq).repeat(64),
    grants: [],
    version: 2,
    ...rest,
  };
}

function createJob(jobId: string, request: Record<string, unknown>): Job {
  const { started_at: _started, ended_at: _ended, ...job } = toMessage<typeof jobSchema, Job>(jobSchema, JOB);
  return {
    ...job,
    delivered: null,
    job_id: jobId,
    state: "reserved",
    modality: String(request["modality"]),
    model_slug: String(request["model_slug"]),
    prompt: String(request["prompt"]),
    params_json: typeof request["params_json"] === "string" ? request["params_json"] : "",
    metadata: { ...(request["metadata"] as Record<string, string>) },
    source: "mcp",
    credits_charged: 0,
    queue_position: 1,
    created_at: AT,
    events: [
      {
        seq: 1,
        type: "reserved",
        state: "reserved",
        at: AT,
        ledger_entry_id: "ent_reserved",
        detail_json: "{}",
      },
    ],
    outputs: [],
    error: null,
    callback: null,
    version: 1,
  };
}
