// Converts between AppError and gRPC status with google.rpc details (https://google.aip.dev/193): ErrorInfo.reason carries the code,
// BadRequest the wrong fields, RetryInfo the wait.
import { Metadata, type ServiceError, status, type StatusObject } from "@grpc/grpc-js";
import { loadSync, type MessageTypeDefinition } from "@grpc/proto-loader";
import { AppError, type AppErrorDetails, ERROR_TABLE, isErrorCode } from "./codes.ts";
import { PROTO_DIR } from "./load.ts";
import {
  isServiceRefusalReason,
  SERVICE_REFUSALS,
  type ServiceRefusalReason,
  type ServiceRefused,
} from "./service-refusals.ts";

const DETAILS_KEY = "grpc-status-details-bin";
const DOMAIN = "atelier";
/** The domain of refusals of the calling service itself, whose reasons are not codes of the table. */
const SERVICE_DOMAIN = "atelier.service";
const TYPE_PREFIX = "type.googleapis.com/google.rpc.";
/** How long a caller should wait if core is unavailable and has not said. */
const AWAY_RETRY_SECONDS = 2;

type Any = { type_url: string; value: Uint8Array };
type RpcStatus = { code: number; message: string; details: Any[] };
type ErrorInfo = { reason: string; domain: string; metadata: Record<string, string> };
type BadRequest = { field_violations: { field: string; description: string }[] };
type RetryInfo = { retry_delay: { seconds: number; nanos: number } };

const definitions = loadSync("google/rpc/status.proto", {
  keepCase: true,
  longs: Number,
  defaults: true,
  includeDirs: [PROTO_DIR],
});

function message<T extends object>(name: string): MessageTypeDefinition<T, T> {
  return definitions[`google.rpc.${name}`] as unknown as MessageTypeDefinition<T, T>;
}

const rpcStatus = message<RpcStatus>("Status");
const errorInfo = message<ErrorInfo>("ErrorInfo");
const badRequest = message<BadRequest>("BadRequest");
const retryInfo = message<RetryInfo>("RetryInfo");

/** Returns the status that core answers for `error`. Numbers, facts and hint travel in ErrorInfo.metadata. */
export function toGrpcStatus(error: AppError): Partial<StatusObject> {
  const code = ERROR_TABLE[error.code].grpc;
  const info: Record<string, string> = { hint: error.hint };
  for (const [name, value] of Object.entries(error.numbers ?? {})) info[`number.${name}`] = String(value);
  for (const [name, value] of Object.entries(error.facts ?? {})) info[`fact.${name}`] = value;
  const details: Any[] = [
    any("ErrorInfo", errorInfo.serialize({ reason: error.code, domain: DOMAIN, metadata: info })),
  ];
  if (error.issues) {
    const violations = error.issues.map(({ path, message }) => ({ field: path, description: message }));
    details.push(any("BadRequest", badRequest.serialize({ field_violations: violations })));
  }
  if (error.retryAfterSeconds) {
    const delay = { seconds: error.retryAfterSeconds, nanos: 0 };
    details.push(any("RetryInfo", retryInfo.serialize({ retry_delay: delay })));
  }
  return statusOf(code, error.message, details);
}

/** The status for a calling service that is itself refused. The text says what to do, because most tools show nothing else. */
export function toServiceStatus({ reason, facts }: ServiceRefused): Partial<StatusObject> {
  const { grpc, message: said, hint } = SERVICE_REFUSALS[reason];
  const info = errorInfo.serialize({ reason, domain: SERVICE_DOMAIN, metadata: { ...facts, hint } });
  return statusOf(grpc, `${said} ${hint}`, [any("ErrorInfo", info)]);
}

function statusOf(code: number, text: string, details: Any[]): Partial<StatusObject> {
  const metadata = new Metadata();
  metadata.set(DETAILS_KEY, rpcStatus.serialize({ code, message: text, details }));
  return { code, details: text, metadata };
}

/**
 * The error that a client gets for a failed call. A status that core did not raise itself becomes one of the last four codes of the table.
 */
export function fromGrpcError(error: ServiceError): AppError {
  const raw = detailsOf(error);
  const parsed = raw && decodeDetails(raw);
  if (parsed) return parsed;
  if (isBrokenOff(error))
    return withCause(new AppError("service_unavailable", { retryAfterSeconds: AWAY_RETRY_SECONDS }), error);
  switch (error.code) {
    // A caller must not see the status itself, but the log and serviceRefusalOf() need it.
    case status.UNAVAILABLE:
      return withCause(new AppError("service_unavailable", { retryAfterSeconds: AWAY_RETRY_SECONDS }), error);
    case status.DEADLINE_EXCEEDED:
      return withCause(new AppError("deadline_exceeded", { retryAfterSeconds: AWAY_RETRY_SECONDS }), error);
    default:
      return withCause(new AppError("internal"), error);
  }
}

/** The connection to core broke the call off: a status that core did not raise. */
function isBrokenOff({ code, details }: ServiceError): boolean {
  return code === status.CANCELLED || (code === status.INTERNAL && details.startsWith("Received RST_STREAM"));
}

/** The call got no answer from core: its connection ended, or could not be opened. */
export function isLostOnTheWay(error: ServiceError): boolean {
  return detailsOf(error) === undefined && (error.code === status.UNAVAILABLE || isBrokenOff(error));
}

function withCause(error: AppError, cause: unknown): AppError {
  return Object.assign(error, { cause });
}

/** Why core refused the calling service itself, if it did: its service token is not valid, or does not cover the call. */
export function serviceRefusalOf(error: AppError): ServiceRefusalReason | undefined {
  const raw = error.cause instanceof Error ? detailsOf(error.cause) : undefined;
  const info = raw && readInfo(rpcStatus.deserialize(raw).details);
  return info?.domain === SERVICE_DOMAIN && isServiceRefusalReason(info.reason) ? info.reason : undefined;
}

function detailsOf(error: Partial<ServiceError>): Buffer | undefined {
  const raw = error.metadata?.get(DETAILS_KEY)[0];
  return raw instanceof Uint8Array ? Buffer.from(raw) : undefined;
}

function readInfo(details: readonly Any[]): ErrorInfo | undefined {
  const found = details.find((detail) => detail.type_url === `${TYPE_PREFIX}ErrorInfo`);
  return found && errorInfo.deserialize(Buffer.from(found.value));
}

function any(name: string, value: Uint8Array): Any {
  return { type_url: TYPE_PREFIX + name, value };
}

function decodeDetails(raw: Buffer): AppError | undefined {
  const { details, message: text } = rpcStatus.deserialize(raw);
  const find = <T extends object>(name: string, type: MessageTypeDefinition<T, T>): T | undefined => {
    const found = details.find((detail) => detail.type_url === TYPE_PREFIX + name);
    return found && type.deserialize(Buffer.from(found.value));
  };
  const info = readInfo(details);
  if (!info || info.domain !== DOMAIN || !isErrorCode(info.reason)) return undefined;
  const result: AppErrorDetails = { message: text };
  if (info.metadata["hint"]) result.hint = info.metadata["hint"];
  const numbers = Object.entries(info.metadata).flatMap(([name, value]) =>
    name.startsWith("number.") ? [[name.slice("number.".length), Number(value)] as const] : [],
  );
  if (numbers.length > 0) result.numbers = Object.fromEntries(numbers);
  const facts = Object.entries(info.metadata).flatMap(([name, value]) =>
    name.startsWith("fact.") ? [[name.slice("fact.".length), value] as const] : [],
  );
  if (facts.length > 0) result.facts = Object.fromEntries(facts);
  const bad = find("BadRequest", badRequest);
  if (bad) {
    result.issues = bad.field_violations.map(({ field, description }) => ({
      path: field,
      message: description,
    }));
  }
  const retry = find("RetryInfo", retryInfo);
  if (retry) result.retryAfterSeconds = retry.retry_delay.seconds;
  return new AppError(info.reason, result);
}
