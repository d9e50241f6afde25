// The input and output of a slice's rpc.ts: handlers by method name, free of gRPC's own types, and the content of their messages.
import type { MethodDefinition } from "@grpc/proto-loader";
import type { z } from "zod";
import type { Caller, OperatorContext } from "../../proto/caller.ts";
import type { ClientStreamingMethod, RpcService } from "../../proto/client.ts";
import { fromMessage, MalformedField } from "../../proto/codec.ts";
import { invalidField } from "../../proto/codes.ts";
import type { atelierV1 } from "../../proto/load.ts";
import { invalidRequest } from "../../proto/resources/issues.ts";
import { findHarm } from "../../proto/resources/json-harm.ts";
import type { SecurityInfo } from "../../runtime/ops/security-log.ts";

/** The context of a call in addition to its message. */
export type Call = {
  readonly caller: Caller;
  /** The name of the method, without its service. */
  readonly method: string;
  readonly requestId: string;
  /** The client's address, if the calling service sends it. */
  readonly address: string;
  /** Aborted when the caller goes away or the deadline passes. */
  readonly signal: AbortSignal;
  /** Tells the caller of a stream that it was accepted, if the first message may take long. */
  readonly begin?: (() => void) | undefined;
  /** When the caller stops waiting, as a value of performance.now(). */
  readonly untilMs: number;
  /** The name of the internal service that calls, from its token. */
  readonly service: string;
  /** Who asks, and why, in an operator's call. */
  readonly operatorContext: OperatorContext;
};

/**
 * One function for each method of a service: unary methods return a message, streaming methods yield messages, and methods with a request
 * stream read it. AppErrors become rich statuses.
 */
export type Handlers<Definition> = {
  [
    M in keyof Definition as Definition[M] extends MethodDefinition<infer _A, infer _B, infer _C, infer _D>
      ? M
      : never
  ]: Definition[M] extends MethodDefinition<infer _Input, infer ReplyInput, infer Request, infer _Reply>
    ? M extends ClientStreamingMethod
      ? (requests: AsyncIterable<Request>, call: Call) => Promise<ReplyInput>
      : (request: Request, call: Call) => Promise<ReplyInput> | AsyncIterable<ReplyInput>
    : never;
};

/** The handlers of every service that the protos declare. */
export type Services = { [Name in RpcService]: Handlers<(typeof atelierV1)[Name]["service"]> };

/** Parses the JSON in a message without validating it. Throws invalid_request if it is not JSON, or contains what cannot be stored. */
export function readMessage<S extends z.ZodObject>(schema: S, message: object): z.output<S> {
  const carried = readFields(schema, message);
  const harm = findHarm(carried);
  if (harm) throw invalidRequest([harm]);
  return carried;
}

function readFields<S extends z.ZodObject>(schema: S, message: object): z.output<S> {
  try {
    return fromMessage(schema, message);
  } catch (error) {
    if (error instanceof MalformedField) throw invalidField(error.field, error.message);
    throw error;
  }
}

/** As in any other field, null in params counts as left out. */
export function withoutNulls(params: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).filter(([, param]) => param !== null));
}

/** The fields of every line of the security log. */
export function factsOf({ requestId, address, service, operatorContext }: Call): SecurityInfo {
  return { request_id: requestId, address, service, operator: operatorContext.operator.trim() };
}
