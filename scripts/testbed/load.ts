// The load on a service: programs over REST, assistants over MCP and browsers, or only job requests. Each call is recorded; a job request
// is repeated under its Idempotency-Key after the requested wait, as clients should, and each attempt is a call.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Customer } from "./customers.ts";

export type Surface = "rest" | "tools" | "site";
export type Call = {
  readonly surface: Surface;
  readonly what: string;
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
  /** The reason of a failure: any other than the expected response. */
  readonly failure: string | undefined;
  /** For a job request: the id of the accepted job. */
  readonly request?: { readonly idempotencyKey: string; readonly jobId: string | undefined };
};

export type Load = {
  readonly calls: readonly Call[];
  /** Stops new calls; resolves when those in flight have ended. */
  stop(): Promise<void>;
};

/**
 * `mixed`: a program, an assistant and a browser for each customer. Otherwise job requests: of clients that wait for each response and then
 * pause, or at a rate.
 */
export type Pace = "mixed" | { clients: number; pauseMs: number } | { perSecond: number };

export type LoadOptions = {
  url: string;
  customers: readonly Customer[];
  pace: Pace;
  /** The requested job; a small picture by default, so that the service is measured and not the drawing. */
  job?: object;
  /** A failed request is repeated after this time, instead of the requested one. */
  againAfterMs?: number;
};

/** The usual timeout of browsers and libraries; a call with a wait may take that much longer. */
const DEADLINE_MS = 20_000;
const WAIT_SECONDS = 10;
const PAUSE_MS = 150;
const GIVE_UP_AFTER_MS = 120_000;
const REPEATABLE = new Set([429, 500, 502, 503, 504]);
const GENERATE = "/api/v1/connect/generate";
const SMALL_PICTURE = {
  modality: "image",
  model_slug: "atelier-canvas",
  prompt: "a lighthouse at dawn",
  params: { width: 64, height: 64 },
};

type Response = { status: number; body: string; retryAfterMs: number; jobId?: string | undefined };
type Request = {
  surface: Surface;
  what: string;
  path: string;
  init?: RequestInit;
  waitMs?: number;
  idempotencyKey?: string;
};
/** The error in the response; undefined if it is as expected. */
type Check = (response: Response) => string | undefined;
/** Undefined without a response. */
type Send = (request: Request, check?: Check) => Promise<Response | undefined>;

export function startLoad({ url, customers, pace, job = SMALL_PICTURE, againAfterMs }: LoadOptions): Load {
  const calls: Call[] = [];
  const stop = new AbortController();
  const send = createSender(url, calls);
  const pause = (ms: number) => sleep(ms, undefined, { signal: stop.signal }).catch(() => {});
  const customerOf = (n: number): Customer => {
    const customer = customers[n % customers.length];
    if (!customer) throw new Error("a load has customers");
    return customer;
  };
  const request = (n: number) => generate(send, customerOf(n), job, againAfterMs);
  const loop = async (turn: () => Promise<unknown>, pauseMs: number): Promise<void> => {
    while (!stop.signal.aborted) {
      await turn();
      await pause(pauseMs);
    }
  };
  const offer = async (perSecond: number): Promise<void> => {
    const beganMs = performance.now();
    const sent: Promise<unknown>[] = [];
    while (!stop.signal.aborted) {
      const earlyMs = beganMs + (sent.length * 1_000) / perSecond - performance.now();
      if (earlyMs > 0) await pause(earlyMs);
      else sent.push(request(sent.length));
    }
    await Promise.all(sent);
  };
  const loops = (): Promise<void>[] => {
    if (pace === "mixed")
      return customers.flatMap((customer) => [
        loop(() => program(send, customer, job), PAUSE_MS),
        loop(() => assistant(send, customer), PAUSE_MS),
        loop(() => browser(send, customer), PAUSE_MS),
      ]);
    if ("perSecond" in pace) return [offer(pace.perSecond)];
    return Array.from({ length: pace.clients }, (_, n) => loop(() => request(n), pace.pauseMs));
  };
  const all = Promise.all(loops());
  // stop() reports a failure.
  all.catch(() => {});
  return {
    calls,
    stop: async () => {
      stop.abort();
      await all;
    },
  };
}

function createSender(url: string, calls: Call[]): Send {
  return async ({ surface, what, path, init = {}, waitMs = 0, idempotencyKey }, check = checkSuccess) => {
    const sentAtMs = performance.now();
    const record = (failure: string | undefined, jobId?: string): void => {
      const request = idempotencyKey === undefined ? {} : { request: { idempotencyKey, jobId } };
      calls.push({ surface, what, sentAtMs, answeredAtMs: performance.now(), failure, ...request });
    };
    try {
      const signal = AbortSignal.timeout(DEADLINE_MS + waitMs);
      const response = await fetch(url + path, { redirect: "manual", ...init, signal });
      const retryAfterMs = Number(response.headers.get("retry-after") ?? 1) * 1_000;
      const body = await response.text();
      const failure = check({ status: response.status, body, retryAfterMs });
      const isAccepted = failure === undefined && idempotencyKey !== undefined;
      const jobId = isAccepted
        ? (JSON.parse(body) as { result: { job_id: string } }).result.job_id
        : undefined;
      record(failure, jobId);
      return { status: response.status, body, retryAfterMs, jobId };
    } catch (error) {
      record(`no response (${reasonOf(error)})`);
      return undefined;
    }
  };
}

async function program(send: Send, customer: Customer, job: object): Promise<void> {
  const headers = { authorization: `Bearer ${customer.generationKey}` };
  const rest = (what: string, path: string, waitMs = 0, check: Check = checkSuccess) =>
    send({ surface: "rest", what, path, init: { headers }, waitMs }, check);
  await rest("GET /api/catalog", "/api/catalog?limit=5");
  await rest("GET /api/models", "/api/models");
  await rest("GET /api/credits/balance", "/api/credits/balance");
  const jobId = await generate(send, customer, job);
  if (jobId) {
    await rest("GET /api/jobs/{id}?wait", `/api/jobs/${jobId}?wait=${WAIT_SECONDS}`, WAIT_SECONDS * 1000);
    await rest("GET /api/jobs/{id}/events", `/api/jobs/${jobId}/events`, DEADLINE_MS, checkStream);
  }
  await rest("GET /api/callbacks", "/api/callbacks?limit=5");
  await rest("GET /api/credits/ledger", "/api/credits/ledger?limit=5");
}

/** Repeats the request until it is accepted; undefined if that takes too long. */
async function generate(
  send: Send,
  { generationKey }: Customer,
  job: object,
  againAfterMs?: number,
): Promise<string | undefined> {
  const idempotencyKey = randomUUID();
  const headers = {
    authorization: `Bearer ${generationKey}`,
    "content-type": "application/json",
    "idempotency-key": idempotencyKey,
  };
  const init = { method: "POST", headers, body: JSON.stringify(job) };
  const startMs = performance.now();
  while (performance.now() - startMs < GIVE_UP_AFTER_MS) {
    const response = await send({
      surface: "rest",
      what: `POST ${GENERATE}`,
      path: GENERATE,
      init,
      idempotencyKey,
    });
    if (response?.jobId !== undefined) return response.jobId;
    if (response && !REPEATABLE.has(response.status))
      throw new Error(`a request for a job got ${response.status}: ${response.body}`);
    await sleep(againAfterMs ?? response?.retryAfterMs ?? 1_000);
  }
  return undefined;
}

async function assistant(send: Send, { generationKey, memberKey }: Customer): Promise<void> {
  const tool = (path: string, key: string, name: string, args: object) => {
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
    const init = { method: "POST", headers, body: JSON.stringify(message) };
    return send({ surface: "tools", what: name, path, init }, checkTool);
  };
  await tool("/api/mcp", generationKey, "get_credits", {});
  await tool("/api/mcp", generationKey, "list_jobs", {});
  await tool("/api/member/mcp", memberKey, "search_catalog", { search: "icons" });
}

async function browser(send: Send, { cookie }: Customer): Promise<void> {
  for (const path of ["/", "/generate", "/jobs", "/credits", "/products"]) {
    const headers = { cookie, accept: "text/html", "sec-fetch-site": "none" };
    await send({ surface: "site", what: `GET ${path}`, path, init: { headers } }, checkPage);
  }
}

function checkSuccess({ status, body }: Response): string | undefined {
  return status >= 200 && status < 300 ? undefined : `${status} ${codeOf(body)}`;
}

function checkStream(response: Response): string | undefined {
  const isWhole = /^event: (completed|failed|cancelled)$/m.test(response.body);
  return checkSuccess(response) ?? (isWhole ? undefined : "half a stream");
}

function checkPage({ status, body }: Response): string | undefined {
  if (status !== 200) return String(status);
  return body.includes("</html>") ? undefined : "half a page";
}

function checkTool({ status, body }: Response): string | undefined {
  if (status !== 200) return `${status} ${codeOf(body)}`;
  try {
    const { result } = JSON.parse(body) as { result?: { isError?: boolean } };
    return result && result.isError !== true ? undefined : `a tool's error: ${body.slice(0, 120)}`;
  } catch {
    return `no whole JSON, ${body.length} characters: ${body.slice(0, 60)} … ${body.slice(-60)}`;
  }
}

function codeOf(body: string): string {
  return /"code":"?([a-z_0-9-]+)/.exec(body)?.[1] ?? "";
}

function reasonOf(error: unknown): string {
  const { name, cause } = error as Error;
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? name;
}
