// Between an assistant on this computer, which speaks over standard input and output, and the tools of Atelier, which answer over HTTP.
// Each line is a message; what comes back is written as it comes. The key is in the environment and goes nowhere but into the header.
// Needs Node 18 and nothing else.
import { createInterface } from "node:readline";

// oxlint-disable-next-line node/no-process-env -- the assistant on whose computer it runs hands the key on so
const { ATELIER_URL: url = "", ATELIER_KEY: key = "" } = process.env;
const VERSION_META = "io.modelcontextprotocol/protocolVersion";
/** Of which param the current protocol wants a copy in the header Mcp-Name. */
const NAMED_BY = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
};
const INTERNAL_ERROR = -32603;
const PARSE_ERROR = -32700;

/**
 * @typedef {{ jsonrpc: "2.0", id?: string | number | null, method?: string, params?: Record<string, any>, result?: Record<string, any>, error?: object }} Message
 */

/** What was agreed on when the connection began, by clients that begin with one. */
let agreedVersion = "";
/** @type {Map<string | number, AbortController>} */
const underWay = new Map();

const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on("line", (line) => {
  if (line.trim() !== "") void take(line);
});
// No one hears an answer any more.
lines.on("close", () => underWay.forEach((request) => request.abort()));

/** @param {string} line */
async function take(line) {
  /** @type {Message} */
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    write({ jsonrpc: "2.0", id: null, error: { code: PARSE_ERROR, message: "That is not JSON." } });
    return;
  }
  const { id, method, params } = message;
  if (method === "notifications/cancelled") underWay.get(params?.requestId)?.abort();
  const isRequest = id !== undefined && id !== null && method !== undefined;
  const controller = new AbortController();
  if (isRequest) underWay.set(id, controller);
  try {
    await exchange(message, line, controller.signal);
  } catch (error) {
    if (isRequest && !controller.signal.aborted)
      write(refusal(id, "Atelier cannot be reached. Try again in a moment.", error));
  } finally {
    if (isRequest) underWay.delete(id);
  }
}

/**
 * @param {Message} message
 * @param {string} line
 * @param {AbortSignal} signal
 */
async function exchange(message, line, signal) {
  const isRequest = message.id !== undefined && message.id !== null && message.method !== undefined;
  if (key === "" || url === "") {
    if (isRequest)
      write(
        refusal(
          message.id,
          "There is no key. Open the settings of this extension and enter your Atelier key.",
        ),
      );
    return;
  }
  const answer = await fetch(url, { method: "POST", headers: headersOf(message), body: line, signal });
  if (answer.headers.get("content-type")?.startsWith("text/event-stream")) {
    for await (const data of events(answer.body)) pass(message, JSON.parse(data));
    return;
  }
  const text = await answer.text();
  // A notification is taken without a word.
  if (text !== "" && isRequest) pass(message, JSON.parse(text));
}

/** @param {Message} message */
function headersOf({ method, params }) {
  const version = params?._meta?.[VERSION_META];
  const ofMessage = version === undefined ? {} : { "mcp-method": method ?? "" };
  const name = params?.[/** @type {Record<string, string>} */ (NAMED_BY)[method ?? ""] ?? ""];
  const ofName = version === undefined || typeof name !== "string" ? {} : { "mcp-name": inHeader(name) };
  const spoken = version ?? agreedVersion;
  return {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(spoken === "" ? {} : { "mcp-protocol-version": spoken }),
    ...ofMessage,
    ...ofName,
  };
}

/** Headers hold plain text; the protocol says how anything else is written. */
function inHeader(/** @type {string} */ text) {
  return /^[!-~]([ -~]*[!-~])?$/.test(text) ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}

/**
 * What was refused before it was read has no id; the assistant waits for the one that it sent.
 * @param {Message} asked
 * @param {Message} answer
 */
function pass(asked, answer) {
  if (asked.method === "initialize" && answer.result) agreedVersion = answer.result.protocolVersion ?? "";
  write(
    answer.error && (answer.id === null || answer.id === undefined) ? { ...answer, id: asked.id } : answer,
  );
}

/** @param {ReadableStream<Uint8Array> | null} body */
async function* events(body) {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of body ?? []) {
    rest += decoder.decode(piece, { stream: true });
    const parts = rest.split(/\r?\n\r?\n/);
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const data = part
        .split(/\r?\n/)
        .flatMap((row) => (row.startsWith("data:") ? [row.slice(5).trim()] : []));
      if (data.join("") !== "") yield data.join("\n");
    }
  }
}

/**
 * @param {Message["id"]} id
 * @param {string} words
 * @param {unknown} [cause]
 */
function refusal(id, words, cause) {
  if (cause !== undefined) process.stderr.write(`${cause instanceof Error ? cause.message : "no answer"}\n`);
  return { jsonrpc: /** @type {const} */ ("2.0"), id, error: { code: INTERNAL_ERROR, message: words } };
}

/** @param {object} message */
function write(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
