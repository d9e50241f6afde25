// A client of the REST API as anybody could write it: fetch, JSON, and Server-Sent Events.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { balanceSchema, ledgerEntrySchema } from "../../proto/resources/credits.ts";
import {
  generateResultSchema,
  type JobEventResource,
  jobEventSchema,
  type JobResource,
  jobSchema,
} from "../../proto/resources/job.ts";
import { modelSchema } from "../../proto/resources/model.ts";

export type Model = z.output<typeof modelSchema>;
export type LedgerEntry = z.output<typeof ledgerEntrySchema>;
export type Balance = z.output<typeof balanceSchema>;
export type GenerateBody = {
  modality: JobResource["modality"];
  model_slug: string;
  prompt: string;
  params?: Record<string, unknown>;
  callback_url: string;
};
type Generated = z.output<typeof generateResultSchema> & { replayed: boolean };

export type Client = {
  listModels(): Promise<Model[]>;
  /** The same idempotency key never makes a second job. */
  generate(body: GenerateBody, idempotencyKey: string): Promise<Generated>;
  getJob(jobId: string): Promise<JobResource>;
  /** Every event of the job from its first, as it happens, to its last. */
  watch(jobId: string): AsyncGenerator<JobEventResource>;
  /** The name by which a request gives a job this file. */
  upload(bytes: Uint8Array): Promise<string>;
  /** Before it runs, or while it does. Answers how it stands now. */
  cancel(jobId: string): Promise<JobResource>;
  getBalance(): Promise<Balance>;
  /** The whole ledger, oldest entry first. */
  readLedger(): Promise<LedgerEntry[]>;
};

const uploadAnswer = z.object({ result: z.object({ upload_id: z.string() }) });
const LAST_EVENTS = ["completed", "failed", "cancelled"];
const MAX_RECONNECTS = 5;
const MAX_RATE_WAITS = 3;
const CALL_BOUND_MS = 30_000;
/** A job of the seeded models takes seconds. */
const WATCH_BOUND_MS = 120_000;

const errorSchema = z.looseObject({ code: z.string(), message: z.string(), request_id: z.string() });

type Call = (path: string, init?: RequestInit) => Promise<Response>;

export function createClient(baseUrl: string, key: string): Client {
  const authorization = `Bearer ${key}`;

  /** Answers 2xx only; waits and tries again where the service says so. */
  async function call(path: string, init: RequestInit = {}): Promise<Response> {
    for (let waits = 0; ; waits++) {
      const response = await fetch(baseUrl + path, {
        signal: AbortSignal.timeout(CALL_BOUND_MS),
        ...init,
        headers: { authorization, ...init.headers },
      });
      if (response.ok) return response;
      if (response.status !== 429 || waits === MAX_RATE_WAITS) throw await toError(response, path);
      await response.body?.cancel();
      await sleep(Number(response.headers.get("retry-after")) * 1000);
    }
  }

  async function get<T extends z.ZodType>(path: string, schema: T): Promise<z.output<T>> {
    const body: unknown = await (await call(path)).json();
    const { result } = z.object({ ok: z.literal(true), result: z.unknown() }).parse(body);
    return schema.parse(result);
  }

  return {
    listModels: async () => (await get("/api/models", z.object({ data: z.array(modelSchema) }))).data,
    generate: async (body, idempotencyKey) => {
      const response = await call("/api/v1/connect/generate", {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": idempotencyKey },
        body: JSON.stringify(body),
      });
      const { result } = z.object({ result: generateResultSchema }).parse(await response.json());
      return { ...result, replayed: response.headers.get("idempotency-replayed") === "true" };
    },
    getJob: (jobId) => get(`/api/jobs/${jobId}`, jobSchema),
    watch: (jobId) => watchJob(call, jobId),
    upload: async (bytes) => {
      const { result } = uploadAnswer.parse(
        await (await call("/api/uploads", { method: "POST", body: new Uint8Array(bytes) })).json(),
      );
      return result.upload_id;
    },
    cancel: async (jobId) => {
      const answer = await call(`/api/jobs/${jobId}/cancel`, { method: "POST" });
      return z.object({ result: jobSchema }).parse(await answer.json()).result;
    },
    getBalance: () => get("/api/credits/balance", balanceSchema),
    readLedger: async () => {
      const page = z.object({ data: z.array(ledgerEntrySchema), next_cursor: z.string().nullable() });
      const newestFirst: LedgerEntry[] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
        const { data, next_cursor }: z.output<typeof page> = await get(
          `/api/credits/ledger?limit=100${query}`,
          page,
        );
        newestFirst.push(...data);
        cursor = next_cursor;
      }
      return newestFirst.reverse();
    },
  };
}

/** Every event of a job up to its last, over as many connections as it takes. */
async function* watchJob(call: Call, jobId: string): AsyncGenerator<JobEventResource> {
  const signal = AbortSignal.timeout(WATCH_BOUND_MS);
  let lastSeq = 0;
  for (let connections = 0; connections <= MAX_RECONNECTS; connections++) {
    const response = await call(`/api/jobs/${jobId}/events`, {
      headers: { "last-event-id": String(lastSeq) },
      signal,
    });
    for await (const data of readEventStream(response)) {
      const event = jobEventSchema.parse(JSON.parse(data));
      lastSeq = event.seq;
      yield event;
      if (LAST_EVENTS.includes(event.type)) return;
    }
  }
  throw new Error(`the event stream of ${jobId} broke off ${MAX_RECONNECTS} times`);
}

async function toError(response: Response, path: string): Promise<Error> {
  const body = errorSchema.safeParse(await response.json().catch(() => undefined));
  const said = body.success
    ? `${body.data.code}: ${body.data.message} (request ${body.data.request_id})`
    : "no ApiError";
  return new Error(`${path.split("?")[0]} answered ${response.status} ${said}`);
}

/** The data of each event of a text/event-stream whose events have one data line each, as ours do. */
async function* readEventStream(response: Response): AsyncGenerator<string> {
  if (!response.body) return;
  let buffered = "";
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    buffered += text;
    const blocks = buffered.split("\n\n");
    buffered = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = block.split("\n").find((line) => line.startsWith("data: "));
      if (data) yield data.slice("data: ".length);
    }
  }
}
