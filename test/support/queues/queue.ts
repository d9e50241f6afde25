// Common parts of the doubles of queue providers: a server, requests that wait, run and end, faults on demand, and webhooks. A double
// accepts everything that the real ones do, so a request that is sent twice is made twice, and counted.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { PNG } from "./picture.ts";

export type Step = "submit" | "status" | "result" | "cancel" | "file";
export type QueueState = "queued" | "running" | "made" | "failed" | "cancelled";

export type QueuedRequest = {
  readonly id: string;
  readonly model: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
  readonly webhookUrl: string | undefined;
  state: QueueState;
  /** The provider's own error message. */
  error: string | undefined;
  /** The number of requests for each step. */
  readonly asked: Record<Step, number>;
  /** Status of each response to its webhook, 0 for none. */
  readonly told: number[];
};

/** Responds instead of the double; or lets it work and "loses" its response. */
export type Fault = (response: ServerResponse, request: Incoming) => unknown;

export type Incoming = {
  readonly step: Step | "keys";
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

export type QueueOptions = {
  /** The time from start to end; without it a test moves requests on. */
  endsAfterMs?: () => number;
  /** How often a webhook is sent; 0 sends none. */
  webhookTries?: (request: QueuedRequest) => number;
  /** Its automatic outcome; "made" unless given. */
  endsAs?: (request: QueuedRequest) => QueueState;
  /** Called at each step of a request: once it is done, which delays the response, and once the response is sent. */
  onStep?: (step: Step, phase: "done" | "answered", headers: IncomingHttpHeaders) => unknown;
  /** Pictures that each request makes. */
  files?: number;
  port?: number;
};

export type Queue = {
  readonly origin: string;
  readonly requests: QueuedRequest[];
  /** The requests with this prompt: more than one is a repeated call. */
  requestsOf(prompt: unknown): QueuedRequest[];
  /** The newest one. */
  last(): QueuedRequest;
  move(request: QueuedRequest, state: QueueState, error?: string): Promise<void>;
  /** For the next responses of a step, as many as are given; `always` until it is removed. */
  fail(step: Step | "keys", ...faults: Fault[]): void;
  failAlways(step: Step | "keys", fault: Fault | undefined): void;
  close(): Promise<void>;
};

/** One provider's protocol. */
export type Dialect = {
  /** undefined for an unknown path. */
  route(method: string, url: URL): { step: Step | "keys"; id?: string; model?: string } | undefined;
  isAllowed(headers: IncomingHttpHeaders): boolean;
  webhookOf(url: URL, body: Record<string, unknown>): string | undefined;
  promptOf(body: Record<string, unknown>): unknown;
  /** `request` is undefined for an unknown id. */
  answer(
    step: Step | "keys",
    request: QueuedRequest | undefined,
    world: { origin: string; files: string[] },
  ): { status: number; body: unknown; headers?: Record<string, string> };
  webhook(request: QueuedRequest, world: { origin: string; files: string[] }): unknown;
  sign(body: string, request: QueuedRequest): Record<string, string>;
};

const HAS_ENDED = new Set<QueueState>(["made", "failed", "cancelled"]);

export async function startQueue(dialect: Dialect, options: QueueOptions = {}): Promise<Queue> {
  const requests: QueuedRequest[] = [];
  const once = new Map<string, Fault[]>();
  const always = new Map<string, Fault>();
  const ending = new AbortController();
  const telling = new Set<Promise<void>>();

  const server = createServer((incoming, response) => {
    void buffer(incoming)
      .then((body) =>
        answer(response, {
          method: incoming.method ?? "",
          path: incoming.url ?? "",
          headers: incoming.headers,
          body,
        }),
      )
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fixtureOf = (request?: QueuedRequest) => ({
    origin,
    files: Array.from({ length: options.files ?? 1 }, (_, n) => `${origin}/files/${request?.id}/${n}.png`),
  });

  async function answer(
    response: ServerResponse,
    {
      method,
      path,
      headers,
      body,
    }: { method: string; path: string; headers: IncomingHttpHeaders; body: Buffer },
  ): Promise<void> {
    const url = new URL(path, origin);
    const [, folder, fileOf] = url.pathname.split("/");
    const found = folder === "files" ? { step: "file" as const, id: fileOf } : dialect.route(method, url);
    if (!found) return send(response, 404, { detail: "Not Found" });
    const { step } = found;
    const request = requests.find(({ id }) => id === found.id);
    if (request && step !== "keys") request.asked[step]++;
    const fault = once.get(step)?.shift() ?? always.get(step);
    const loses = fault?.(response, { step, method, url, headers, body }) === "loses";
    if (fault && !loses) return;
    if (step !== "keys") response.on("finish", () => options.onStep?.(step, "answered", headers));
    if (step === "file") {
      await options.onStep?.(step, "done", headers);
      if (request?.state !== "made") return send(response, 404, { detail: "Not Found" });
      response.writeHead(200, { "content-type": "image/png" }).end(PNG);
      return;
    }
    if (step !== "keys" && !dialect.isAllowed(headers))
      return send(response, 401, { detail: "Unauthenticated" });
    const named = step === "submit" ? take(url, found.model ?? "", headers, body) : request;
    const { status, body: told, headers: more } = dialect.answer(step, named, fixtureOf(named));
    if (step === "cancel" && named && !HAS_ENDED.has(named.state)) void move(named, "cancelled");
    if (step !== "keys") await options.onStep?.(step, "done", headers);
    if (loses) response.destroy();
    else send(response, status, told, more);
  }

  function take(url: URL, model: string, headers: IncomingHttpHeaders, raw: Buffer): QueuedRequest {
    const body = JSON.parse(raw.toString()) as Record<string, unknown>;
    const asked = { submit: 1, status: 0, result: 0, cancel: 0, file: 0 };
    const webhookUrl = dialect.webhookOf(url, body);
    const request: QueuedRequest = {
      id: randomUUID(),
      model,
      headers,
      body,
      webhookUrl,
      state: "queued",
      error: undefined,
      asked,
      told: [],
    };
    requests.push(request);
    const endsAfterMs = options.endsAfterMs?.();
    if (endsAfterMs !== undefined)
      void sleep(endsAfterMs / 2, undefined, { signal: ending.signal })
        .then(() => move(request, "running"))
        .then(() => sleep(endsAfterMs / 2, undefined, { signal: ending.signal }))
        .then(() => move(request, options.endsAs?.(request) ?? "made"))
        .catch(() => {});
    return request;
  }

  async function move(request: QueuedRequest, state: QueueState, error?: string): Promise<void> {
    if (HAS_ENDED.has(request.state)) return;
    request.state = state;
    request.error = error;
    if (!HAS_ENDED.has(state) || !request.webhookUrl) return;
    const told = tell(request, request.webhookUrl);
    telling.add(told);
    await told.finally(() => telling.delete(told));
  }

  async function tell(request: QueuedRequest, url: string): Promise<void> {
    const body = JSON.stringify(dialect.webhook(request, fixtureOf(request)));
    for (let tries = 0; tries < (options.webhookTries?.(request) ?? 1); tries++) {
      if (ending.signal.aborted) return;
      const headers = { "content-type": "application/json", ...dialect.sign(body, request) };
      const status = await fetch(url, { method: "POST", headers, body, signal: ending.signal })
        .then(async (response) => (await response.body?.cancel(), response.status))
        .catch(() => 0);
      request.told.push(status);
      if (status >= 200 && status < 300) return;
      await sleep(200 * (tries + 1), undefined, { signal: ending.signal }).catch(() => {});
    }
  }

  return {
    origin,
    requests,
    requestsOf: (prompt) => requests.filter(({ body }) => dialect.promptOf(body) === prompt),
    last: () => {
      const request = requests.at(-1);
      if (!request) throw new Error("nothing was asked of the queue");
      return request;
    },
    move,
    fail: (step, ...faults) => void once.set(step, [...(once.get(step) ?? []), ...faults]),
    failAlways: (step, fault) => void (fault ? always.set(step, fault) : always.delete(step)),
    close: async () => {
      ending.abort();
      await Promise.all(telling);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** Faults for any of them. */
export const FAULTS = {
  json:
    (status: number, body: unknown, headers: Record<string, string> = {}): Fault =>
    (response) =>
      send(response, status, body, headers),
  text:
    (
      status: number,
      text: string,
      headers: Record<string, string> = { "content-type": "text/html" },
    ): Fault =>
    (response) =>
      void response.writeHead(status, headers).end(text),
  hangUp: (): Fault => (response) => void response.destroy(),
  /** Reads the request, and disconnects. */
  loses: (): Fault => () => "loses",
  /** Declares more bytes than it sends. */
  cutOff: (): Fault => (response) => {
    response
      .writeHead(200, { "content-type": "application/json", "content-length": "1000" })
      .write('{"status"');
    setImmediate(() => response.destroy());
  },
  never: (): Fault => () => {},
  /** Starts a response that never ends. */
  endless: (): Fault => (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const piece = "x".repeat(64 * 1024);
    const more = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on("drain", more);
    more();
  },
} as const;
