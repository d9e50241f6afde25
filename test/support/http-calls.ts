// An HTTP client of the service: REST with a key, and tools of /api/mcp. It returns responses without checking them.
import { expect } from "vitest";
import { ERROR_TABLE, type ErrorCode } from "../../proto/codes.ts";
import type { LedgerEntryResource } from "../../proto/resources/credits.ts";
import type { JobResource } from "../../proto/resources/job.ts";
import { waitFor } from "./wait-for.ts";

export type Answer<Body> = { status: number; headers: Headers; text: string; body: Body };

export type CallInit = {
  /** Sent as the bearer key when given. */
  key?: string;
  method?: string;
  /** A string or bytes unchanged, anything else as JSON. */
  body?: unknown;
  /** In addition to the key and, with a body, content-type: application/json. null leaves one out. */
  headers?: Record<string, string | null>;
};

export type GenerateResult = {
  ok: true;
  result: {
    job_id: string;
    state: string;
    modality: string;
    model_slug: string;
    credits_reserved: number;
    estimated_seconds: number;
  };
};

export type ToolResult = {
  isError?: true;
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown> & { job_id: string };
};

export type HttpCalls = {
  readonly url: string;
  call<Body = Record<string, unknown>>(path: string, init?: CallInit): Promise<Answer<Body>>;
  /** POST /api/v1/connect/generate with a small picture, changed by `body`. */
  generate(
    key: string,
    body?: Record<string, unknown>,
    headers?: Record<string, string>,
  ): Promise<Answer<GenerateResult>>;
  /** The job of `generate`, once it has ended. */
  make(key: string, body?: Record<string, unknown>): Promise<JobResource>;
  /** The result of a GET. */
  read<Result>(path: string, key: string): Promise<Result>;
  /** The newest ledger entries of the key's account, or all of one job, newest first. */
  ledger(key: string, jobId?: string): Promise<LedgerEntryResource[]>;
  /** The ended job, by long waits. */
  waitForEnd(key: string, jobId: string): Promise<JobResource>;
  /** One JSON-RPC message to /api/mcp, as a plain HTTP client sends it. */
  rpc<Body = Record<string, unknown>>(key: string, message: unknown): Promise<Answer<Body>>;
  /** tools/call; its result. */
  tool(key: string, name: string, args?: Record<string, unknown>): Promise<ToolResult>;
};

export const GENERATE = "/api/v1/connect/generate";
export const PICTURE = { modality: "image", model_slug: "picture", prompt: "a lighthouse at dawn" };

export function createHttpCalls(url: string): HttpCalls {
  const calls: HttpCalls = {
    url,
    call: async <Body>(path: string, { key, method = "GET", body, headers = {} }: CallInit = {}) => {
      const all = {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      };
      const sent = Object.entries(all).filter((header): header is [string, string] => header[1] !== null);
      const raw = typeof body === "string" || body instanceof Uint8Array || body === undefined;
      const payload = raw ? (body as RequestInit["body"]) : JSON.stringify(body);
      const response = await fetch(url + path, {
        method,
        headers: sent,
        redirect: "manual",
        ...(payload !== undefined && { body: payload }),
      });
      const text = await response.text();
      const isJson = /[/+]json\b/.test(response.headers.get("content-type") ?? "") && text !== "";
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: (isJson ? JSON.parse(text) : undefined) as Body,
      };
    },
    generate: (key, body = {}, headers = {}) =>
      calls.call(GENERATE, { key, method: "POST", body: { ...PICTURE, ...body }, headers }),
    make: async (key, body) => calls.waitForEnd(key, (await calls.generate(key, body)).body.result.job_id),
    read: async <Result>(path: string, key: string) =>
      (await calls.call<{ result: Result }>(path, { key })).body.result,
    ledger: async (key, jobId) => {
      const query = jobId === undefined ? "?limit=100" : `?job_id=${jobId}`;
      return (await calls.read<{ data: LedgerEntryResource[] }>(`/api/credits/ledger${query}`, key)).data;
    },
    waitForEnd: async (key, jobId) => {
      const ask = () => calls.call<{ result: JobResource }>(`/api/jobs/${jobId}?wait=20`, { key });
      return waitFor(
        `job ${jobId} to end`,
        async () => {
          const { result } = (await ask()).body;
          if (["completed", "failed", "cancelled"].includes(result.state)) return result;
          throw new Error(`it is ${result.state}`);
        },
        50_000,
      );
    },
    rpc: (key, message) => calls.call("/api/mcp", { key, method: "POST", body: message }),
    tool: async (key, name, args = {}) => {
      const params = { name, arguments: args };
      const { body } = await calls.rpc<{ result: ToolResult }>(key, {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params,
      });
      return body.result;
    },
  };
  return calls;
}

/** Checks a whole refusal, status, headers and body: fields not in `more` must match the error table. */
export function expectRefusal(
  { status, headers, body }: Answer<unknown>,
  code: ErrorCode,
  more: Record<string, unknown> = {},
): void {
  const row = ERROR_TABLE[code];
  const message = more["message"] ?? row.message;
  expect(body).toEqual({
    ok: false,
    error: message,
    code,
    message,
    hint: row.hint,
    docs: `/docs/errors#${code}`,
    request_id: headers.get("x-request-id"),
    ...more,
  });
  expect(status).toBe(row.http);
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("www-authenticate")).toBe(row.http === 401 ? 'Bearer realm="atelier"' : null);
  const wait = more["retry_after_seconds"];
  expect(headers.get("retry-after")).toBe(typeof wait === "number" ? String(wait) : null);
}
