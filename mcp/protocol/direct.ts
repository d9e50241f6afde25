// Answers tools/list, tools/call and ping without the protocol library, which costs several times more than such a message needs. Messages
// arrive here only after their headers, envelope and params have passed the checks. A test compares the responses with the library's.
import { PassThrough, Readable } from "node:stream";
import {
  type CallToolRequest,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
} from "@modelcontextprotocol/server";
import { AppError, type AppErrorDetails } from "../../proto/codes.ts";
import { isObject, valueAt } from "../../runtime/json-object.ts";
import { callTool, noSuchTool, NO_CURSORS } from "./call-tool.ts";
import { NO_INPUT, readClientInput } from "./client-input.ts";
import type { AnswerForm, Answered, Exchange, ServerEdge } from "./exchange.ts";
import { MessageRefusal, type Notification, type Request } from "./message.ts";
import type { Era } from "./plain-messages.ts";
import { inOwnWords } from "./refuse.ts";
import type { Toolset } from "./tool.ts";

/** How long clients may keep a list. The list is private to the client, because it shows what the client's key may call. */
export const LIST_CACHE = { ttlMs: 5 * 60 * 1000, cacheScope: "private" } as const;

/** Proxies close a stream that is silent for a minute or less. */
export const KEEP_ALIVE_MS = 15_000;
const NO_RESULT = Buffer.from("{}");
export const SERVER_INFO = "io.modelcontextprotocol/serverInfo";

export type AnswerDirectly = (
  message: Request,
  era: Era,
  exchange: Exchange,
) => Promise<Answered> | undefined;

/** Builds the function that answers these methods and returns undefined for every other message. That function throws MessageRefusal. */
export function createDirectAnswer(edge: ServerEdge): AnswerDirectly {
  const serverInfo = { [SERVER_INFO]: edge.info };
  const lists = {
    older: cached(({ listing }) => JSON.stringify(listing)),
    current: cached(({ listing }) => JSON.stringify(complete({ ...listing, ...LIST_CACHE }))),
  };

  function complete(result: object, meta: object = {}): object {
    return { resultType: "complete", ...result, _meta: { ...meta, ...serverInfo } };
  }

  async function list(message: Request, era: Era, { form, toolset }: Exchange): Promise<Answered> {
    if (message.params?.["cursor"] !== undefined) throw invalidParams(message.id, NO_CURSORS);
    return inForm(form, message.id, lists[era](toolset));
  }

  async function call(message: Request, era: Era, exchange: Exchange): Promise<Answered> {
    const params = message.params as CallToolRequest["params"];
    const tool = exchange.toolset.find(params.name);
    if (!tool) throw unknownTool(message, params.name, exchange.toolset);
    const run = async (tell: ((message: string) => void) | undefined): Promise<string> => {
      const { result, task } = await callTool(
        {
          tool,
          args: params.arguments,
          client: exchange.client,
          input: era === "current" ? readClientInput(message.params) : NO_INPUT,
          reportProgress: tell,
        },
        exchange,
        edge,
      ).catch((error: unknown) => {
        throw error instanceof ProtocolError ? toRefusal(error, message) : error;
      });
      if (result.isError === true && exchange.prove) {
        const toolset = await exchange.prove();
        if (!toolset.find(params.name)) throw unknownTool(message, params.name, toolset);
      }
      const answer = task ? { ...task, resultType: "task" } : result;
      return toAnswer(
        message.id,
        JSON.stringify(era === "current" ? complete(answer, result._meta) : answer),
      );
    };
    return isSilent(params, exchange)
      ? { document: await run(undefined) }
      : withEvents(params, run, exchange);
  }

  return (message, era, exchange) => {
    if (message.method === "tools/call") return call(message, era, exchange);
    if (message.method === "tools/list") return list(message, era, exchange);
    // The library checks a ping that has params or belongs to the current protocol.
    if (message.method === "ping" && era === "older" && message.params === undefined)
      return Promise.resolve(inForm(exchange.form, message.id, NO_RESULT));
    return undefined;
  };
}

/** The answer to such a call is one document after the end. */
function isSilent(params: object, { form }: Exchange): boolean {
  return form === "json" || (form === "auto" && valueAt(params, "_meta", "progressToken") === undefined);
}

/** Whether the message calls a tool that checks the key, so that nothing is sent before core has confirmed it. */
export function checksKey({ method, params }: Request | Notification, exchange: Exchange): boolean {
  return (
    method === "tools/call" &&
    typeof params?.["name"] === "string" &&
    exchange.toolset.find(params["name"])?.checksKey === true &&
    isSilent(params, exchange)
  );
}

function inForm(form: AnswerForm, id: RequestId, resultJson: Buffer): Answered {
  const document = Buffer.concat([Buffer.from(beginAnswer(id)), resultJson, DOCUMENT_END]);
  return form === "sse" ? { events: Readable.from([toEvent(document.toString())]) } : { document };
}

/** The answer is one JSON document unless there is progress to report before the end, or the client accepts only events. */
async function withEvents(
  { _meta }: CallToolRequest["params"],
  run: (tell: ((message: string) => void) | undefined) => Promise<string>,
  { form, client }: Exchange,
): Promise<Answered> {
  const token = _meta?.progressToken;
  const events = new PassThrough();
  const news = Promise.withResolvers<undefined>();
  let steps = 0;
  const tell = (message: string): void => {
    steps += 1;
    const params = { progressToken: token, progress: steps, message };
    events.write(toEvent(JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params })));
    news.resolve(undefined);
  };
  const ended = run(token === undefined ? undefined : tell);
  if (form === "auto") {
    const first = await Promise.race([ended, news.promise]);
    if (first !== undefined) return { document: first };
  }
  const beat = setInterval(() => events.write(": waiting\n\n"), KEEP_ALIVE_MS);
  client.signal.addEventListener("abort", () => events.destroy(), { once: true });
  events.once("close", () => clearInterval(beat));
  ended.then(
    (json) => {
      clearInterval(beat);
      events.end(toEvent(json));
    },
    (error: unknown) => events.destroy(error instanceof Error ? error : undefined),
  );
  return { events };
}

const DOCUMENT_END = Buffer.from("}");

function toAnswer(id: RequestId, resultJson: string): string {
  return `${beginAnswer(id)}${resultJson}}`;
}

function beginAnswer(id: RequestId): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
}

export function toEvent(json: string): string {
  return `event: message\ndata: ${json}\n\n`;
}

function invalidParams(id: RequestId, details: AppErrorDetails): MessageRefusal {
  return new MessageRefusal(new AppError("invalid_request", details), {
    id,
    code: ProtocolErrorCode.InvalidParams,
    httpStatus: 200,
  });
}

function unknownTool({ id }: Request, name: string, toolset: Toolset): MessageRefusal {
  return invalidParams(id, noSuchTool(name, toolset));
}

/** Cases for which the protocol has an error although the message's params are right. */
export function toRefusal(error: ProtocolError, message: Request): MessageRefusal {
  return new MessageRefusal(inOwnWords(error, message), {
    id: message.id,
    code: error.code,
    httpStatus: error instanceof MissingRequiredClientCapabilityError ? 400 : 200,
    data: isObject(error.data) ? error.data : {},
  });
}

/** As bytes, because encoding a text of this length for each response takes longer than the rest of the response. */
function cached(render: (toolset: Toolset) => string): (toolset: Toolset) => Buffer {
  const known = new WeakMap<Toolset, Buffer>();
  return (toolset) => {
    let json = known.get(toolset);
    if (json === undefined) {
      json = Buffer.from(render(toolset));
      known.set(toolset, json);
    }
    return json;
  };
}
