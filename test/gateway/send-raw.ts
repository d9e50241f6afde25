// Requests with exactly the given headers, and raw responses: not decoded, not followed.
import { type Agent, type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:net";

export type RawAnswer = {
  status: number;
  headers: IncomingHttpHeaders;
  /** Names in their order and spelling. */
  names: string[];
  body: Buffer;
};

const HANG_MS = 50_000;

type Raw = {
  method?: string | undefined;
  headers?: Record<string, string> | undefined;
  body?: Buffer | undefined;
  /** Without one, each request has a connection of its own. */
  agent?: Agent;
};

/** The path is sent as it is. Fails when there is no whole response. */
export function sendRaw(
  url: string,
  path: string,
  { method = "GET", headers = {}, body, agent }: Raw = {},
): Promise<RawAnswer> {
  const { hostname: host, port } = new URL(url);
  const all = { ...headers, ...(body && { "content-length": body.length }) };
  const to = { host, port, path, method, headers: all, timeout: HANG_MS, agent: agent ?? false };
  return new Promise((resolve, reject) => {
    const sent = request(to, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          names: response.rawHeaders.filter((_name, i) => i % 2 === 0),
          body: Buffer.concat(parts),
        }),
      );
    });
    sent.on("error", reject);
    sent.on("timeout", () => sent.destroy(new Error(`no answer within ${HANG_MS} ms`)));
    sent.end(body);
  });
}

/** Sends this text on a connection of its own. Returns what the server sends until it ends the connection. */
export function exchange(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.setEncoding("utf8").on("data", (chunk) => (answer += String(chunk)));
    socket
      .on("error", reject)
      .on("end", () => socket.end())
      .on("close", () => resolve(answer));
    socket.setTimeout(HANG_MS, () => socket.destroy(new Error(`no end of the answer: ${answer}`)));
  });
}
