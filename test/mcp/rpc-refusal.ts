// Whole refusals of a tool endpoint, compared with the error table.
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

/** The client's view of a response. */
export function seen(reply: Reply): object {
  return {
    status: reply.status,
    type: reply.headers.get("content-type"),
    cache: reply.headers.get("cache-control"),
    json: reply.json,
  };
}

/** Expects exactly this refusal. */
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
