// A server on loopback with the OpenAI image and speech API, with faults on request.
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer, json } from "node:stream/consumers";

export type Received = { path: string; headers: IncomingHttpHeaders; body: Record<string, unknown> };
export type Answer = (response: ServerResponse, request: Received) => void;

export type OpenAiServer = {
  baseURL: string;
  received: Received[];
  /** The response to the next requests. */
  answer: (answer: Answer) => void;
  close: () => Promise<void>;
};

export async function startOpenAiServer(): Promise<OpenAiServer> {
  let current: Answer = sendJson(500, {});
  const received: Received[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const isForm = request.headers["content-type"]?.startsWith("multipart/form-data");
    const body = isForm ? await readForm(request) : ((await json(request)) as Record<string, unknown>);
    const entry = { path: request.url ?? "", headers: request.headers, body };
    received.push(entry);
    current(response, entry);
  };
  const server: Server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    received,
    answer: (answer) => {
      current = answer;
      received.length = 0;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Files as bytes; a repeated name gives a list. */
async function readForm(request: IncomingMessage): Promise<Record<string, unknown>> {
  const headers = { "content-type": request.headers["content-type"] ?? "" };
  const form = await new Response(await buffer(request), { headers }).formData();
  const fields: Record<string, unknown> = {};
  for (const name of new Set(form.keys())) {
    const values = await Promise.all(
      form.getAll(name).map(async (value) => (typeof value === "string" ? value : await value.bytes())),
    );
    fields[name] = values.length === 1 ? values[0] : values;
  }
  return fields;
}

export function sendJson(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

export function sendImages(...images: Uint8Array[]): Answer {
  return sendJson(200, {
    created: 1,
    data: images.map((image) => ({ b64_json: Buffer.from(image).toString("base64") })),
  });
}

export function sendBytes(mimeType: string, bytes: Uint8Array): Answer {
  return (response) => response.writeHead(200, { "content-type": mimeType }).end(bytes);
}

export function sendError(status: number, code: string | null, headers: Record<string, string> = {}): Answer {
  const message = `Incorrect request to https://api.internal.example with key sk-secret-1234 (${code})`;
  return sendJson(status, { error: { message, type: "invalid_request_error", param: null, code } }, headers);
}
