// Recognizes the messages that clients send most often, so that the protocol library's schemas need not parse each of them again: that
// costs several times what such a message needs. A message that is not recognized here may be just as valid, and the library decides.
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { isObject, type JsonObject } from "../../runtime/json-object.ts";
import type { Exchange } from "./exchange.ts";
import type { Request } from "./message.ts";

export type Era = "current" | "older";

export const CURRENT_VERSION = "2026-07-28";
export const VERSION_HEADER = "mcp-protocol-version";

/** Versions are dates. Messages of versions before the current one have no envelope in `_meta`. */
const OLDER_VERSIONS = new Set(SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version < CURRENT_VERSION));

const PARAMS: Readonly<Record<string, ReadonlySet<string>>> = {
  "tools/list": new Set(["_meta"]),
  "tools/call": new Set(["_meta", "name", "arguments"]),
};

const MAX_REMEMBERED = 1_000;
const MAX_REMEMBERED_LENGTH = 2_000;

export type PlainMessages = {
  /** Returns the era of a message that needs no further check, and undefined for every other message. */
  eraOf(message: Request, headers: Exchange["headers"]): Era | undefined;
  /**
   * Notes that the library found nothing wrong with a current message, so that the next message with the same `_meta` need not be checked.
   */
  remember(message: Request): void;
};

export function createPlainMessages(): PlainMessages {
  const known = new Set<string>();
  return {
    eraOf: (message, headers) => {
      if (!hasPlainParams(message)) return undefined;
      const meta = message.params?.["_meta"];
      if (meta === undefined) return isOlder(headers[VERSION_HEADER]) ? "older" : undefined;
      return agrees(headers, message) && isObject(meta) && known.has(textOf(message, meta))
        ? "current"
        : undefined;
    },
    remember: (message) => {
      const meta = message.params?.["_meta"];
      if (!Object.hasOwn(PARAMS, message.method) || !isObject(meta)) return;
      const text = textOf(message, meta);
      if (text.length > MAX_REMEMBERED_LENGTH) return;
      if (known.size >= MAX_REMEMBERED) known.clear();
      known.add(text);
    },
  };
}

/**
 * Returns whether the headers of a current message repeat its body exactly. The library judges those that do not, because they may be
 * encoded.
 */
export function agrees(
  headers: Exchange["headers"],
  { method, params }: Pick<Request, "method" | "params">,
): boolean {
  return (
    headers[VERSION_HEADER] === CURRENT_VERSION &&
    headers["mcp-method"] === method &&
    (method !== "tools/call" || (params !== undefined && headers["mcp-name"] === params["name"]))
  );
}

/** Returns whether the headers of a current message name a call that ends work instead of adding some. The body need not agree. */
export function namesCancel(headers: Exchange["headers"], cancelTool: string): boolean {
  const { [VERSION_HEADER]: version, "mcp-method": method, "mcp-name": name } = headers;
  if (version !== CURRENT_VERSION) return false;
  return method === "tasks/cancel" || (method === "tools/call" && name === cancelTool);
}

function hasPlainParams({ method, params }: Request): boolean {
  const allowed = Object.hasOwn(PARAMS, method) ? PARAMS[method] : undefined;
  if (!allowed) return false;
  if (method === "tools/call") {
    const { name, arguments: args } = params ?? {};
    if (typeof name !== "string" || (args !== undefined && !isObject(args))) return false;
  }
  return params === undefined || Object.keys(params).every((field) => allowed.has(field));
}

function isOlder(version: string | string[] | undefined): boolean {
  return version === undefined || (typeof version === "string" && OLDER_VERSIONS.has(version));
}

/** The parts of a `_meta` that the library checks, without the progress token of one call if that is well formed. */
function textOf({ method }: Request, meta: JsonObject): string {
  const { progressToken: token } = meta;
  const isToken = typeof token === "string" || Number.isSafeInteger(token);
  return `${method} ${JSON.stringify(isToken ? { ...meta, progressToken: undefined } : meta)}`;
}
