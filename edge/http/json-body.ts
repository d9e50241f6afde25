// Parses request bodies as JSON. Refuses content that could cause harm later, and names the field.
import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "../../proto/codes.ts";
import { invalidRequest } from "../../proto/resources/issues.ts";
import { findHarm } from "../../proto/resources/json-harm.ts";

const BYTE_ORDER_MARK = "\uFEFF";

/** The document in `body`. Throws AppError invalid_json or invalid_request. */
export function parseJsonBody(body: Buffer): unknown {
  if (body.length === 0) throw new AppError("invalid_json", { message: "The request body is empty." });
  if (!isUtf8(body)) throw new AppError("invalid_json", { message: "The request body is not valid UTF-8." });
  const text = body.toString("utf8");
  let document: unknown;
  try {
    document = JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text);
  } catch {
    throw new AppError("invalid_json");
  }
  const issue = findHarm(document);
  if (issue) throw invalidRequest([issue]);
  return document;
}

/** Throws unsupported_media_type for a compressed body: no limit of a size would hold for its content. */
export function refuseCompressed({ "content-encoding": encoding = "identity" }: IncomingHttpHeaders): void {
  if (encoding.toLowerCase() === "identity") return;
  throw new AppError("unsupported_media_type", {
    message: "The request body must not be compressed.",
    hint: "Send the JSON itself, without the header content-encoding.",
  });
}
