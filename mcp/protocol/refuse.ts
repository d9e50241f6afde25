// Refusals of requests that are no tool calls, in the form in which the protocol library passes them on.
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { AppError, type AppErrorDetails, ERROR_TABLE, type ErrorCode } from "../../proto/codes.ts";
import { toAppError } from "../../edge/http/errors.ts";
import { toRpcError } from "./errors.ts";
import type { Exchange, ServerEdge } from "./exchange.ts";

/** A request that is well-formed but asks for something that is not there. */
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
 * What core or a bug threw. Logs what is the service's fault, unless the client has gone. `isInvalid` names the codes that the protocol
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
