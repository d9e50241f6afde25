// The part of Stripe's API that the adapter uses, over HTTP, on a stateful bank. A repeated key gets the first response.
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createBank, type Bank } from "./bank.ts";
import { parseForm } from "./form.ts";
import { Refused } from "./things.ts";

export type StripeRequest = {
  method: string;
  path: string;
  body: string;
  key: string | undefined;
  version: string | undefined;
};

export type StripeDouble = {
  readonly bank: Bank;
  readonly baseUrl: string;
  readonly requests: StripeRequest[];
  /** Responses to the next requests, one each, instead of the bank's. */
  readonly failures: ("closed" | { status: number; error: Record<string, unknown> })[];
  /** The only accepted key. */
  readonly secretKey: string;
  close(): Promise<void>;
};

export async function startStripeDouble(secretKey: string): Promise<StripeDouble> {
  const bank = createBank();
  const requests: StripeRequest[] = [];
  const failures: StripeDouble["failures"] = [];
  const answered = new Map<string, { asked: string; status: number; body: string }>();

  function answer(request: StripeRequest, authorization: string): { status: number; body: string } {
    const { method, path, key } = request;
    if (authorization !== `Bearer ${secretKey}`)
      return refusal(401, {
        message: `Invalid API Key provided: ${secretKey.slice(0, 8)}****`,
        type: "invalid_request_error",
      });
    if (method === "POST" && key === undefined) return refusal(400, { message: "a POST without a key" });
    const asked = `${method} ${path} ${request.body}`;
    const known = key === undefined ? undefined : answered.get(key);
    if (known && known.asked !== asked)
      return refusal(400, { type: "idempotency_error", message: "another request had this key" });
    if (known) return known;
    const url = new URL(path, "http://stripe");
    try {
      const input = parseForm(method === "GET" ? url.search.slice(1) : request.body);
      const done = { status: 200, body: JSON.stringify(bank.handle(method, url.pathname, input)) };
      if (key !== undefined) answered.set(key, { asked, ...done });
      return done;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return refusal(error.status, { type: "invalid_request_error", message: error.message, ...error.facts });
    }
  }

  const server = createServer(async (incoming, response) => {
    const request = await read(incoming);
    requests.push(request);
    const failure = failures.shift();
    if (failure === "closed") {
      incoming.socket.destroy();
      return;
    }
    const { status, body } = failure
      ? refusal(failure.status, failure.error)
      : answer(request, incoming.headers.authorization ?? "");
    response
      .writeHead(status, { "content-type": "application/json", "request-id": `req_${requests.length}` })
      .end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    bank,
    requests,
    failures,
    secretKey,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function refusal(status: number, error: Record<string, unknown>): { status: number; body: string } {
  return { status, body: JSON.stringify({ error }) };
}

async function read(incoming: IncomingMessage): Promise<StripeRequest> {
  let body = "";
  for await (const chunk of incoming.setEncoding("utf8")) body += String(chunk);
  const header = (name: string) => incoming.headers[name]?.toString();
  return {
    method: incoming.method ?? "",
    path: incoming.url ?? "",
    body,
    key: header("idempotency-key"),
    version: header("stripe-version"),
  };
}
