// Whole refusals of a tool endpoint, compared with the error table.
import { expect } from "vitest";
import { ERROR_TABLE, type ErrorCode } from "../../proto/codes.ts";
import type { Reply } from "./endpoint-server.ts";

type Issue = { path: string; message: string };
type Expected = {
  id?: number | null;
  rpc?: number;
  message?: string;
  hint?: string;
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

/** Expects exactly this refusal, with the words and numbers of the error table except for those given. */
export function refusal(code: ErrorCode, expected: Expected = {}): object {
  const { http, jsonRpc, ...words } = ERROR_TABLE[code];
  const { id = null, rpc = jsonRpc, message = words.message, hint = words.hint, extra = {} } = expected;
  const issues = (extra.issues ?? []).map((issue) => `${issue.path || "The body"} ${issue.message}.`);
  return {
    status: http,
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
