// Refusals in the form in which the protocol library passes them on, and the library's own refusals with the service's texts.
import { ProtocolError, ProtocolErrorCode, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { toAppError } from "../../edge/http/errors.ts";
import { AppError, type AppErrorDetails, ERROR_TABLE, type ErrorCode } from "../../proto/codes.ts";
import { toRpcError } from "./errors.ts";
import type { Exchange, ServerEdge } from "./exchange.ts";
import { type Notification, noSuchMethod, type Request as RpcRequest } from "./message.ts";
import { CURRENT_VERSION } from "./plain-messages.ts";

/** The protocol's code for headers that disagree with the body. The library has no name for it. */
const HEADER_MISMATCH = -32_020;
export const VERSIONS_HINT = `Use ${CURRENT_VERSION}, with its _meta in each request; or one of ${SUPPORTED_PROTOCOL_VERSIONS.join(", ")} in the header MCP-Protocol-Version, or no header.`;
/** Everything else that the library refuses is about the envelope of a current message. */
const ENVELOPE_HINT = `A request of ${CURRENT_VERSION} has protocolVersion, clientInfo and clientCapabilities in params._meta; one of an older version has neither these nor that header.`;
const LIBRARY_HINTS: Readonly<Record<number, string>> = {
  [ProtocolErrorCode.UnsupportedProtocolVersion]: VERSIONS_HINT,
  [ProtocolErrorCode.MissingRequiredClientCapability]:
    "Send it again with the capabilities of requiredCapabilities in params._meta, if the client has them.",
  [HEADER_MISMATCH]: "Make the headers MCP-Protocol-Version, Mcp-Method and Mcp-Name say what the body says.",
};

/** Rewrites an error of the protocol library like every other refusal. */
export function inOwnWords(
  { code, message }: { code: ProtocolErrorCode; message: string },
  { method }: RpcRequest | Notification,
): AppError {
  if (code === ProtocolErrorCode.MethodNotFound) return noSuchMethod(method);
  if (code === ProtocolErrorCode.InternalError) return new AppError("internal");
  return new AppError("invalid_request", {
    message: message.endsWith(".") ? message : `${message}.`,
    hint: LIBRARY_HINTS[code] ?? ENVELOPE_HINT,
  });
}

/** Refuses a well-formed request for something that does not exist. */
export function invalidParams(
  details: AppErrorDetails,
  { tools }: Exchange,
  { words }: ServerEdge,
): ProtocolError {
  const { error } = toRpcError(new AppError("invalid_request", details), words, {
    id: null,
    requestId: tools.call.requestId,
  });
  return new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, error.data);
}

/**
 * Converts what core or a bug threw. Logs faults of the service unless the client has gone. `isInvalid` names the codes that the protocol
 * calls invalid params.
 */
export function toProtocolError(
  error: unknown,
  signal: AbortSignal,
  { tools }: Exchange,
  { words, log }: ServerEdge,
  isInvalid: readonly ErrorCode[],
): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const { requestId } = tools.call;
  const told = toAppError(error) ?? new AppError("internal");
  if (ERROR_TABLE[told.code].http >= 500 && !signal.aborted) {
    const context = { err: error, request_id: requestId };
    if (told.code === "internal") log.error(context, "internal error");
    else log.warn(context, "unavailable");
  }
  const code = isInvalid.includes(told.code) ? ProtocolErrorCode.InvalidParams : undefined;
  const { error: body } = toRpcError(told, words, { id: null, requestId, code });
  return new ProtocolError(body.code, body.message, body.data);
}
