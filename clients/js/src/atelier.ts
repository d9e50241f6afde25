// The client: a method for each operation of the API, and methods that do everything and wait.
import { Connection, type Sending } from "./connection.ts";
import { AtelierError, AtelierJobError, AtelierWorkflowError } from "./errors.ts";
import { hasEnded, watchEvents } from "./events.ts";
import { checkLedger, type LedgerProof } from "./ledger.ts";
import type {
  Balance,
  AccountEvent,
  CatalogPage,
  Delivery,
  DeliveryFilter,
  Estimate,
  GenerateResult,
  Job,
  JobEvent,
  JobFilter,
  LedgerEntry,
  LedgerFilter,
  LogProof,
  SolvencyProof,
  Me,
  Modality,
  Model,
  Output,
  Plan,
  Product,
  ProductFilter,
  Receipt,
  ReceiptKey,
  Upload,
  VerifiedFile,
  Workflow,
  WorkflowFilter,
  WorkflowResult,
} from "./resources.ts";

export type AtelierOptions = {
  /** The address of the service, for example https://atelier.example. */
  readonly baseUrl: string;
  /** A generation key, atl_gen_…. The catalog and the plans can be read without one. */
  readonly apiKey?: string | undefined;
  /** For how long a request is repeated while the service cannot be reached or is busy. Default: a minute. */
  readonly retryForMs?: number;
  /** A replacement for the global fetch. */
  readonly fetch?: typeof fetch;
};

export type Generation = {
  /** The slug of a model: `await atelier.models()` lists them. */
  readonly model: string;
  readonly prompt: string;
  /** Options of the model, as its params_schema describes them. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** What to make. If left out, the model decides. */
  readonly modality?: Modality;
  /** Your own strings, returned with the job. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Called with a signed POST when the job ends. */
  readonly callbackUrl?: string;
  /** Refuse the job if it would cost more. */
  readonly maxCredits?: number;
  /** false: fail, with a full refund, unless everything is delivered. Default: complete with what is delivered, and refund the rest. */
  readonly allowPartial?: boolean;
  /** Seconds. A job that has not started by then fails as `expired`, with a full refund. Default: 24 hours. */
  readonly expiresIn?: number;
  /** Days to keep the files. Default, and most: as the operator has set it. */
  readonly keepDays?: number;
};

/** One of the generations of a workflow. */
export type WorkflowStep = Omit<Generation, "callbackUrl" | "maxCredits"> & {
  /** Its name within the workflow: 1 to 32 of a-z, 0-9, _ and -. A param that takes a file may be `step:` and the name of another step. */
  readonly id: string;
  /** Steps that must have completed before, in addition to those whose files it uses. */
  readonly after?: readonly string[];
};

export type WorkflowRequest = {
  /** 2 to 20 steps. */
  readonly steps: readonly WorkflowStep[];
  readonly metadata?: Readonly<Record<string, string>>;
  /** Called with a signed POST when the workflow ends. */
  readonly callbackUrl?: string;
  /** Call it when a step ends, too. */
  readonly callbackOnSteps?: boolean;
  /** Refuse the workflow if its steps together would cost more. */
  readonly maxCredits?: number;
};

export type CallOptions = {
  readonly signal?: AbortSignal | undefined;
};

export type GenerateOptions = CallOptions & {
  /** Your own name for this request: if it is repeated, there is still one job. By default each call makes a new one. */
  readonly idempotencyKey?: string;
};

export type WaitOptions = CallOptions & {
  /** How long to wait for the end of the job. Default: 15 minutes. The job continues after that. */
  readonly timeoutMs?: number;
  /** Called with each event of the job, from its first. */
  readonly onEvent?: (event: JobEvent) => void;
};

export type EventsOptions = CallOptions & {
  /** The seq of the last event that you know. By default, all events are returned. */
  readonly after?: number;
};

type Page<T> = { data: T[]; next_cursor: string | null };

const RETRY_FOR_MS = 60_000;
const WAIT_TIMEOUT_MS = 15 * 60_000;
/** The longest time for which the service holds an answer, and how much longer it may then be silent. */
const HOLD_SECONDS = 60;
const HOLD_GRACE_MS = 15_000;
const UPLOAD_SILENCE_MS = 15 * 60_000;

export class Atelier {
  readonly #connection: Connection;
  readonly #modalities = new Map<string, Modality>();

  constructor({ baseUrl, apiKey, retryForMs = RETRY_FOR_MS, fetch = globalThis.fetch }: AtelierOptions) {
    this.#connection = new Connection({
      baseUrl,
      apiKey,
      retryForMs,
      // Browsers require fetch to be called without a receiver.
      fetch: (input, init) => fetch(input, init),
    });
  }

  /** Makes a job and returns immediately. Repeats after a lost connection never make a second one. */
  async generate(request: Generation, options: GenerateOptions = {}): Promise<GenerateResult> {
    return this.#generate<GenerateResult>(request, options);
  }

  /**
   * Makes a job, waits for its end and returns it completed, whatever happens to connections and servers in between. Throws an
   * AtelierJobError if it fails or is cancelled, and an AtelierError `wait_timeout` if it takes too long.
   */
  async generateAndWait(request: Generation, options: GenerateOptions & WaitOptions = {}): Promise<Job> {
    const { timeoutMs = WAIT_TIMEOUT_MS, onEvent, signal } = options;
    const endAt = performance.now() + timeoutMs;
    // With events to report, the answer is not held: they come over a separate stream.
    const holdSeconds = onEvent ? 0 : secondsUntil(endAt);
    const made = await this.#generate<GenerateResult | Job>(request, options, holdSeconds);
    if ("events" in made && hasEnded(made.state)) return completed(made);
    const rest = { timeoutMs: Math.max(0, endAt - performance.now()), ...(onEvent && { onEvent }) };
    return this.wait(made.job_id, { ...rest, signal });
  }

  /** Waits for the end of a job; throws as generateAndWait does. */
  async wait(
    jobId: string,
    { timeoutMs = WAIT_TIMEOUT_MS, onEvent, signal }: WaitOptions = {},
  ): Promise<Job> {
    const endAt = performance.now() + timeoutMs;
    if (onEvent) await this.#tellEvents(jobId, { onEvent, signal, timeoutMs });
    const rest = { timeoutMs: endAt - performance.now(), signal };
    const job = await this.#hold<Job>(jobPath(jobId), rest);
    if (!job) throw tookTooLong("job", { jobId });
    return completed(job);
  }

  /** Returns what a generation would cost, and whether it would be accepted. Holds nothing. */
  async estimate(request: Generation, { signal }: CallOptions = {}): Promise<Estimate> {
    const json = await this.#toBody(request, signal);
    return this.#connection.result("/api/v1/connect/estimate", { method: "POST", json, signal });
  }

  /** Yields the events of a job as they happen. It ends after the last event, however often the connection is lost before. */
  events(
    jobId: string,
    { after = 0, signal }: EventsOptions = {},
  ): AsyncGenerator<JobEvent, void, undefined> {
    return watchEvents(this.#connection, { jobId, after, signal });
  }

  async job(jobId: string, { signal }: CallOptions = {}): Promise<Job> {
    return this.#read(jobPath(jobId), { signal });
  }

  /** Yields all jobs, newest first. */
  jobs(filter: JobFilter = {}, options: CallOptions = {}): AsyncGenerator<Job, void, undefined> {
    return this.#pages("/api/jobs", filter, options);
  }

  /** Asks for a job to be stopped. A running job is `cancelling` at first. */
  async cancel(jobId: string, { signal }: CallOptions = {}): Promise<Job> {
    return this.#connection.result(`${jobPath(jobId)}/cancel`, { method: "POST", signal });
  }

  /** Sends several generations that build on each other as one, and returns immediately. Repeats never make a second workflow. */
  async runWorkflow(request: WorkflowRequest, options: GenerateOptions = {}): Promise<WorkflowResult> {
    const { idempotencyKey = crypto.randomUUID(), signal } = options;
    const { steps, callbackUrl, callbackOnSteps, maxCredits, metadata } = request;
    const json = {
      steps: await Promise.all(steps.map((step) => this.#toBody(step, signal))),
      metadata,
      callback_url: callbackUrl,
      callback_on_steps: callbackOnSteps,
      max_credits: maxCredits,
    };
    const headers = { "idempotency-key": idempotencyKey };
    return this.#connection.result("/api/v1/connect/workflows", { method: "POST", json, headers, signal });
  }

  /**
   * Sends a workflow, waits for its end and returns it completed. Throws an AtelierWorkflowError if it fails or is cancelled, and an
   * AtelierError `wait_timeout` if it takes too long.
   */
  async runWorkflowAndWait(
    request: WorkflowRequest,
    options: GenerateOptions & Omit<WaitOptions, "onEvent"> = {},
  ): Promise<Workflow> {
    const { timeoutMs = WAIT_TIMEOUT_MS, signal } = options;
    const endAt = performance.now() + timeoutMs;
    const { workflow_id } = await this.runWorkflow(request, options);
    return this.waitForWorkflow(workflow_id, { timeoutMs: Math.max(0, endAt - performance.now()), signal });
  }

  /** Waits for the end of a workflow; throws as runWorkflowAndWait does. */
  async waitForWorkflow(
    workflowId: string,
    { timeoutMs = WAIT_TIMEOUT_MS, signal }: Omit<WaitOptions, "onEvent"> = {},
  ): Promise<Workflow> {
    const workflow = await this.#hold<Workflow>(workflowPath(workflowId), { timeoutMs, signal });
    if (!workflow) throw tookTooLong("workflow", { workflowId });
    if (workflow.state !== "completed") throw new AtelierWorkflowError(workflow);
    return workflow;
  }

  async workflow(workflowId: string, { signal }: CallOptions = {}): Promise<Workflow> {
    return this.#read(workflowPath(workflowId), { signal });
  }

  /** Yields all workflows, newest first. */
  workflows(
    filter: WorkflowFilter = {},
    options: CallOptions = {},
  ): AsyncGenerator<Workflow, void, undefined> {
    return this.#pages("/api/workflows", filter, options);
  }

  /** Asks for a workflow to be stopped: steps that have not started never do. */
  async cancelWorkflow(workflowId: string, { signal }: CallOptions = {}): Promise<Workflow> {
    return this.#connection.result(`${workflowPath(workflowId)}/cancel`, { method: "POST", signal });
  }

  /** Returns the bytes of a file that a job has made. */
  async download(output: Output, { signal }: CallOptions = {}): Promise<Uint8Array> {
    return this.#connection.bytes(output.url, { headers: { accept: "*/*" }, withKey: false, signal });
  }

  /** Sends a file; its upload_id is the value of a param that takes a file. */
  async upload(file: Blob | Uint8Array<ArrayBuffer>, { signal }: CallOptions = {}): Promise<Upload> {
    return this.#connection.result("/api/uploads", {
      method: "POST",
      file,
      headers: { "content-type": "application/octet-stream" },
      onlyOnce: true,
      silenceMs: UPLOAD_SILENCE_MS,
      signal,
    });
  }

  /** Checks the Content Credentials of a file: who signed it, how it was made, and whether it has changed since. Needs no key. */
  async verifyFile(
    file: Blob | Uint8Array<ArrayBuffer>,
    { signal }: CallOptions = {},
  ): Promise<VerifiedFile> {
    return this.#connection.result("/api/outputs/verify", {
      method: "POST",
      file,
      headers: { "content-type": "application/octet-stream" },
      withKey: false,
      silenceMs: UPLOAD_SILENCE_MS,
      signal,
    });
  }

  async models(filter: { modality?: Modality } = {}, { signal }: CallOptions = {}): Promise<Model[]> {
    return (await this.#read<Page<Model>>("/api/models", { query: filter, signal })).data;
  }

  async model(slug: string, { signal }: CallOptions = {}): Promise<Model> {
    return this.#read(`/api/models/${encodeURIComponent(slug)}`, { signal });
  }

  async plans({ signal }: CallOptions = {}): Promise<Plan[]> {
    return (await this.#read<Page<Plan>>("/api/plans", { signal })).data;
  }

  /** Returns whose key it is, and what it may do. */
  async me({ signal }: CallOptions = {}): Promise<Me> {
    return this.#read("/api/me", { signal });
  }

  async balance({ signal }: CallOptions = {}): Promise<Balance> {
    return this.#read("/api/credits/balance", { signal });
  }

  /** Yields every entry of the ledger, newest first. */
  ledger(filter: LedgerFilter = {}, options: CallOptions = {}): AsyncGenerator<LedgerEntry, void, undefined> {
    return this.#pages("/api/credits/ledger", filter, options);
  }

  /** Reads the whole ledger and proves that nothing in it was changed, removed or cut off. */
  async verifyLedger(options: CallOptions = {}): Promise<LedgerProof> {
    const { ledger_seq: lastSeq, ledger_hash: lastHash } = await this.balance(options);
    const entries: LedgerEntry[] = [];
    for await (const entry of this.ledger({ limit: 100 }, options))
      if (entry.seq <= lastSeq) entries.push(entry);
    const proof = await checkLedger(entries.reverse());
    const isWhole = proof.ok && proof.entries === lastSeq && (lastSeq === 0 || proof.lastHash === lastHash);
    return isWhole || !proof.ok ? proof : { ok: false, seq: Math.min(proof.entries + 1, lastSeq) };
  }

  /** Returns the proof that the ledger is in the public log; null while no checkpoint covers it. */
  async logProof({ signal }: CallOptions = {}): Promise<LogProof | null> {
    return (await this.#read<{ proof: LogProof | null }>("/api/credits/proof", { signal })).proof;
  }

  /** Returns the proof that the balance is in the total of all balances; null while there is none. */
  async solvencyProof({ signal }: CallOptions = {}): Promise<SolvencyProof | null> {
    type Proofs = { solvency: SolvencyProof | null };
    return (await this.#read<Proofs>("/api/credits/proof", { signal })).solvency;
  }

  /** Returns the signed receipt of a job as it is now, a JWS that `verifyReceipt` checks; null where the service signs none. */
  async receipt(jobId: string, { signal }: CallOptions = {}): Promise<string | null> {
    return (await this.#read<Receipt>(`${jobPath(jobId)}/receipt`, { signal })).receipt;
  }

  /** Returns the public keys that sign receipts, and those that signed earlier ones. Needs no key. */
  async receiptKeys({ signal }: CallOptions = {}): Promise<ReceiptKey[]> {
    const path = "/.well-known/jwks.json";
    return (await this.#connection.json<{ keys: ReceiptKey[] }>(path, { signal })).keys;
  }

  /** Yields the webhook deliveries of the account, those of the newest jobs first. */
  deliveries(
    filter: DeliveryFilter = {},
    options: CallOptions = {},
  ): AsyncGenerator<Delivery, void, undefined> {
    return this.#pages("/api/callbacks", filter, options);
  }

  /** Yields the events of the account after the one with this `seq`, in order: those of the last 30 days, if none is given. */
  async *accountEvents(
    { after = 0, limit }: { after?: number; limit?: number } = {},
    { signal }: CallOptions = {},
  ): AsyncGenerator<AccountEvent, void, undefined> {
    let next: string | null = String(after);
    while (next !== null) {
      const page: Page<AccountEvent> = await this.#read("/api/events", {
        query: { after: next, limit },
        signal,
      });
      yield* page.data;
      next = page.next_cursor;
    }
  }

  /** Resends a job's webhook. */
  async redeliver(jobId: string, { signal }: CallOptions = {}): Promise<Delivery> {
    const sending = { method: "POST", onlyOnce: true, signal } as const;
    return this.#connection.result(`${jobPath(jobId)}/callbacks/redeliver`, sending);
  }

  /** Sends a `test` event to an address immediately, and returns the result. */
  async testCallback(callbackUrl: string, { signal }: CallOptions = {}): Promise<Delivery> {
    const json = { callback_url: callbackUrl };
    return this.#connection.result("/api/callbacks/test", { method: "POST", json, onlyOnce: true, signal });
  }

  /** Yields the products of the catalog. Needs no key. */
  async *products(
    filter: ProductFilter = {},
    { signal }: CallOptions = {},
  ): AsyncGenerator<Product, void, undefined> {
    for (let page = 1; ; page++) {
      const query = { pageSize: 50, ...filter, page };
      const found = await this.#connection.json<CatalogPage>("/api/catalog", { query, signal });
      yield* found.data;
      if (page >= found.total_pages) return;
    }
  }

  async product(slug: string, { signal }: CallOptions = {}): Promise<Product> {
    const path = `/api/catalog/${encodeURIComponent(slug)}`;
    return (await this.#connection.json<{ data: Product }>(path, { signal })).data;
  }

  async #generate<T>(request: Generation, options: GenerateOptions, holdSeconds = 0): Promise<T> {
    const { idempotencyKey = crypto.randomUUID(), signal } = options;
    return this.#connection.result("/api/v1/connect/generate", {
      method: "POST",
      json: await this.#toBody(request, signal),
      headers: {
        "idempotency-key": idempotencyKey,
        ...(holdSeconds > 0 && { prefer: `wait=${holdSeconds}` }),
      },
      signal,
    });
  }

  async #toBody(
    { model, callbackUrl, maxCredits, allowPartial, expiresIn, keepDays, ...rest }: Generation,
    signal: AbortSignal | undefined,
  ): Promise<object> {
    const modality = rest.modality ?? (await this.#modalityOf(model, signal));
    return {
      ...rest,
      modality,
      model_slug: model,
      callback_url: callbackUrl,
      max_credits: maxCredits,
      allow_partial: allowPartial,
      expires_in: expiresIn,
      keep_days: keepDays,
    };
  }

  /** A model always makes the same kind of thing, so it is asked only once. */
  async #modalityOf(model: string, signal: AbortSignal | undefined): Promise<Modality> {
    const known = this.#modalities.get(model);
    if (known) return known;
    const { modality } = await this.model(model, { signal });
    this.#modalities.set(model, modality);
    return modality;
  }

  #read<T>(path: string, sending: Sending): Promise<T> {
    return this.#connection.result(path, sending);
  }

  /** Polls until it has ended; undefined when the time is over. */
  async #hold<T extends Job | Workflow>(
    path: string,
    { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
  ): Promise<T | undefined> {
    const endAt = performance.now() + timeoutMs;
    for (;;) {
      const seconds = secondsUntil(endAt);
      const found = await this.#read<T>(path, {
        ...(seconds > 0 && { query: { wait: seconds } }),
        silenceMs: seconds * 1000 + HOLD_GRACE_MS,
        signal,
      });
      if (hasEnded(found.state)) return found;
      if (performance.now() >= endAt) return undefined;
    }
  }

  async *#pages<T>(
    path: string,
    filter: NonNullable<Sending["query"]>,
    { signal }: CallOptions,
  ): AsyncGenerator<T, void, undefined> {
    let cursor: string | undefined;
    do {
      const page: Page<T> = await this.#read(path, { query: { ...filter, cursor }, signal });
      yield* page.data;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  async #tellEvents(
    jobId: string,
    {
      onEvent,
      signal,
      timeoutMs,
    }: { onEvent: (event: JobEvent) => void; signal: AbortSignal | undefined; timeoutMs: number },
  ): Promise<void> {
    const end = AbortSignal.timeout(Math.ceil(timeoutMs));
    const both = signal ? AbortSignal.any([signal, end]) : end;
    try {
      for await (const event of this.events(jobId, { signal: both })) onEvent(event);
    } catch (error) {
      signal?.throwIfAborted();
      throw end.aborted ? tookTooLong("job", { jobId }) : error;
    }
  }
}

function jobPath(jobId: string): string {
  return `/api/jobs/${encodeURIComponent(jobId)}`;
}

function workflowPath(workflowId: string): string {
  return `/api/workflows/${encodeURIComponent(workflowId)}`;
}

function secondsUntil(endAt: number): number {
  return Math.max(0, Math.min(HOLD_SECONDS, Math.ceil((endAt - performance.now()) / 1000)));
}

function completed(job: Job): Job {
  if (job.state === "completed") return job;
  throw new AtelierJobError(job);
}

function tookTooLong(what: "job" | "workflow", about: { jobId?: string; workflowId?: string }): AtelierError {
  return new AtelierError(
    "wait_timeout",
    `The ${what} has not ended within the time it was waited for. It goes on.`,
    { ...about, hint: "Wait for it again, or cancel it." },
  );
}
