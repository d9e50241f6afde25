// Refusals of a tool endpoint, compared whole: what a client sees, and what the error table makes of it.
import { expect } from "vitest";
import type { ErrorCode } from "../../proto/codes.ts";
import type { Reply } from "./endpoint-server.ts";

export type Issue = { path: string; message: string };
type Expected = {
  status: number;
  id?: number | null;
  rpc: number;
  code: ErrorCode;
  message: string;
  hint: string;
  extra?: { issues?: Issue[]; retry_after_seconds?: number };
};

/** What a client sees of a reply. */
export function seen(reply: Reply): object {
  return {
    status: reply.status,
    type: reply.headers.get("content-type"),
    cache: reply.headers.get("cache-control"),
    json: reply.json,
  };
}

/** The whole refusal, nothing more and nothing less. */
export function refusal({ status, id = null, rpc, code, message, hint, extra = {} }: Expected): object {
  const issues = (extra.issues ?? []).map((issue) => `${issue.path || "The body"} ${issue.message}.`);
  return {
    status,
    type: "application/json; charset=utf-8",
    cache: "no-store",
    json: {
      jsonrpc: "2.0",
      id,
      error: {
        code: rpc,
        message: [message, ...issues, hint].join(" "),
        data: {
          error: message,
          code,
          message,
          hint,
          docs: `/docs/errors#${code}`,
          request_id: expect.stringMatching(/^req_/),
          ...extra,
        },
      },
    },
  };
}
