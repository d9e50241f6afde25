// The protocol side of the extension MCP Apps (2026-01-26): which clients show views. Current clients declare it in each request. Older
// clients declare it once, in initialize, and get a session whose name repeats it with each of their messages; nothing is stored for it.
import { randomUUID } from "node:crypto";
import { CLIENT_CAPABILITIES_META_KEY } from "@modelcontextprotocol/server";
import { isObject, valueAt } from "../../runtime/json-object.ts";
import { type Exchange, headerOf } from "./exchange.ts";
import type { Notification, Request } from "./message.ts";

export const APPS_EXTENSION = "io.modelcontextprotocol/ui";
/** The media type of a view, which a client that shows views must declare. */
export const VIEW_TYPE = "text/html;profile=mcp-app";
export const SESSION_HEADER = "mcp-session-id";
const SESSION_PREFIX = "views-";

/** The session id of a client that shows views. */
export function newViewSession(): string {
  return SESSION_PREFIX + randomUUID();
}

/** Returns whether the client that sent the message shows views. */
export function showsViews(
  { method, params }: Request | Notification,
  headers: Exchange["headers"],
): boolean {
  if (method === "initialize") return declares(params?.["capabilities"]);
  const meta = params?.["_meta"];
  if (isObject(meta) && CLIENT_CAPABILITIES_META_KEY in meta)
    return declares(meta[CLIENT_CAPABILITIES_META_KEY]);
  return headerOf(headers, SESSION_HEADER)?.startsWith(SESSION_PREFIX) ?? false;
}

function declares(capabilities: unknown): boolean {
  const types = valueAt(capabilities, "extensions", APPS_EXTENSION, "mimeTypes");
  return Array.isArray(types) && types.includes(VIEW_TYPE);
}
