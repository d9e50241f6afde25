// Clients of a cluster, as they are outside: programs over REST, assistants over MCP, and people's browsers. Each call is sent once and
// written down; what is repeated, because it has to get through, is written down once more.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

export type Surface = "rest" | "tools" | "site";
export type Call = {
  readonly surface: Surface;
  readonly what: string;
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
  /** Why it failed: anything but the answer that was asked for. */
  readonly failure: string | undefined;
};

/** A job that the service has accepted: by which account's key, for how many credits. */
export type Accepted = { readonly key: string; readonly jobId: string; readonly credits: number };

export type Customer = {
  readonly email: string;
  readonly generationKey: string;
  readonly memberKey: string;
  /** name=value of a session; another one once the person has signed in again. */
  cookie: string;
};

export type Load = {
  readonly calls: readonly Call[];
  readonly accepted: readonly Accepted[];
  /** Requests for a job that were given up without an answer that accepts or refuses. */
  readonly open: readonly string[];
  /** No new calls; resolves when those under way have ended. */
  stop(): Promise<void>;
};

/** A browser or a library gives up about then; a call that asks to wait may take as long as it asked beside this. */
const DEADLINE_MS = 20_000;
const WAIT_SECONDS = 10;
const PAUSE_MS = 150;
const REPEAT_AFTER_MS = 1_000;
const GIVE_UP_AFTER_MS = 120_000;
/** A small picture: what is measured is the service, not how it draws. */
const JOB = {
  modality: "image",
  model_slug: "atelier-canvas",
  prompt: "a lighthouse at dawn",
  params: { width: 64, height: 64 },
};

type Answer = { status: number; body: string };
type Asked = { surface: Surface; what: string; path: string; init?: RequestInit; waitMs?: number };

type Log = { calls: Call[]; accepted: Accepted[]; open: string[] };
/** Undefined where it failed. */
type Send = (asked: Asked, fits?: (answer: Answer) => string | undefined) => Promise<Answer | undefined>;

export function startClients(url: string, customers: readonly Customer[]): Load {
  const log: Log = { calls: [], accepted: [], open: [] };
  const stop = new AbortController();
  const send = createSender(url, log);
  const again = async (turn: () => Promise<void>): Promise<void> => {
    while (!stop.signal.aborted) {
      await turn();
      await sleep(PAUSE_MS, undefined, { signal: stop.signal }).catch(() => {});
    }
  };
  const all = Promise.all(
    customers.flatMap((customer) => [
      again(() => program(send, log, customer)),
      again(() => assistant(send, customer)),
      again(() => browser(send, customer)),
    ]),
  );
  // Told by stop().
  all.catch(() => {});
  return {
    ...log,
    stop: async () => {
      stop.abort();
      await all;
    },
  };
}

function createSender(url: string, { calls }: Log): Send {
  return async ({ surface, what, path, init = {}, waitMs = 0 }, fits = isOk) => {
    const sentAtMs = performance.now();
    const note = (failure: string | undefined) =>
      void calls.push({ surface, what, sentAtMs, answeredAtMs: performance.now(), failure });
    try {
      const signal = AbortSignal.timeout(DEADLINE_MS + waitMs);
      const response = await fetch(url + path, { redirect: "manual", ...init, signal });
      const answer = { status: response.status, body: await response.text() };
      const failure = fits(answer);
      note(failure);
      return failure === undefined ? answer : undefined;
    } catch (error) {
      note(`no answer (${reasonOf(error)})`);
      return undefined;
    }
  };
}

async function program(send: Send, log: Log, { generationKey: key }: Customer): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const rest = (what: string, path: string, waitMs = 0, fits = isOk) =>
    send({ surface: "rest", what, path, init: { headers }, waitMs }, fits);
  await rest("GET /api/catalog", "/api/catalog?limit=5");
  await rest("GET /api/models", "/api/models");
  await rest("GET /api/credits/balance", "/api/credits/balance");
  const jobId = await generate(send, log, key);
  if (jobId) {
    await rest("GET /api/jobs/{id}?wait", `/api/jobs/${jobId}?wait=${WAIT_SECONDS}`, WAIT_SECONDS * 1000);
    await rest("GET /api/jobs/{id}/events", `/api/jobs/${jobId}/events`, DEADLINE_MS, isWholeStream);
  }
  await rest("GET /api/callbacks", "/api/callbacks?limit=5");
  await rest("GET /api/credits/ledger", "/api/credits/ledger?limit=5");
}

/** Repeated under its key until it is accepted, as clients are asked to. */
async function generate(send: Send, { accepted, open }: Log, key: string): Promise<string | undefined> {
  const idempotencyKey = randomUUID();
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "idempotency-key": idempotencyKey,
  };
  const init = { method: "POST", headers, body: JSON.stringify(JOB) };
  const path = "/api/v1/connect/generate";
  const startMs = performance.now();
  while (performance.now() - startMs < GIVE_UP_AFTER_MS) {
    const answer = await send({ surface: "rest", what: `POST ${path}`, path, init });
    if (answer) {
      const { result } = JSON.parse(answer.body) as { result: { job_id: string; credits_reserved: number } };
      accepted.push({ key, jobId: result.job_id, credits: result.credits_reserved });
      return result.job_id;
    }
    await sleep(REPEAT_AFTER_MS);
  }
  open.push(idempotencyKey);
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
    return send({ surface: "tools", what: name, path, init }, isToolResult);
  };
  await tool("/api/mcp", generationKey, "get_credits", {});
  await tool("/api/mcp", generationKey, "list_jobs", {});
  await tool("/api/member/mcp", memberKey, "search_catalog", { search: "icons" });
}

async function browser(send: Send, customer: Customer): Promise<void> {
  for (const path of ["/", "/generate", "/jobs", "/credits", "/products"]) {
    const headers = { cookie: customer.cookie, accept: "text/html", "sec-fetch-site": "none" };
    await send({ surface: "site", what: `GET ${path}`, path, init: { headers } }, isPage);
  }
}

function isOk({ status, body }: Answer): string | undefined {
  return status >= 200 && status < 300 ? undefined : `${status} ${codeOf(body)}`;
}

function isWholeStream(answer: Answer): string | undefined {
  return (
    isOk(answer) ?? (/^event: (completed|failed|cancelled)$/m.test(answer.body) ? undefined : "half a stream")
  );
}

function isPage(answer: Answer): string | undefined {
  if (answer.status === 200 && answer.body.includes("</html>")) return undefined;
  return answer.status === 200 ? "half a page" : `${answer.status}`;
}

function isToolResult(answer: Answer): string | undefined {
  if (answer.status !== 200) return `${answer.status} ${codeOf(answer.body)}`;
  const { body } = answer;
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
