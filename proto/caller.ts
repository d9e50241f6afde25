// How a gateway tells core who is calling: metadata on every gRPC call. The key itself never travels further than the edge; core gets its
// SHA-256, which is what the database stores.
import { Metadata } from "@grpc/grpc-js";
import { AppError } from "./codes.ts";

export const SOURCES = ["api", "app", "mcp", "member", "system"] as const;
/**
 * The surface on which a request came in. Besides ids and times, this is all that differs between the ledger entries of two equal requests.
 */
export type Source = (typeof SOURCES)[number];

export type Caller =
  | {
      readonly kind: "key";
      /** Lower-case hex SHA-256 of the key as sent. */ readonly keySha256: string;
      readonly source: Source;
    }
  /** A person whose session the calling service has verified. */
  | { readonly kind: "account"; readonly accountId: string; readonly source: Source }
  | { readonly kind: "none" };

export const NO_CALLER: Caller = { kind: "none" };

export const REQUEST_ID_KEY = "x-request-id";
/** W3C Trace Context, under the name that every tracing library uses. */
export const TRACEPARENT_KEY = "traceparent";
const KEY = "atelier-key-sha256";
const ACCOUNT = "atelier-account";
const SOURCE = "atelier-source";
const ADDRESS = "atelier-address";
// These values are binary, because gRPC allows only ASCII in the others.
const OPERATOR = "atelier-operator-bin";
const REASON = "atelier-reason-bin";

/** Who asks for a change through an operator's tool, and why, in that tool's words. Empty if the tool does not say. */
export type OperatorContext = { readonly operator: string; readonly reason: string };

export function callerMetadata(caller: Caller, requestId: string, address: string): Metadata {
  const metadata = new Metadata();
  metadata.set(REQUEST_ID_KEY, requestId);
  if (address) metadata.set(ADDRESS, address);
  if (caller.kind === "none") return metadata;
  metadata.set(SOURCE, caller.source);
  if (caller.kind === "key") metadata.set(KEY, caller.keySha256);
  else metadata.set(ACCOUNT, caller.accountId);
  return metadata;
}

export function readCaller(metadata: Metadata): Caller {
  const source = first(metadata, SOURCE);
  if (!isSource(source)) return NO_CALLER;
  const keySha256 = first(metadata, KEY);
  if (keySha256) return { kind: "key", keySha256, source };
  const accountId = first(metadata, ACCOUNT);
  return accountId ? { kind: "account", accountId, source } : NO_CALLER;
}

/**
 * Refuses a call that names a key or an account but no source: without a source no one is calling, and the answer "no key was sent" would
 * mislead its author. Throws invalid_request.
 */
export function checkSource(metadata: Metadata): void {
  const names = [KEY, ACCOUNT].filter((name) => first(metadata, name) !== "");
  if (names.length === 0 || isSource(first(metadata, SOURCE))) return;
  throw new AppError("invalid_request", {
    hint: `Send the metadata ${SOURCE} with each call that has ${names.join(" or ")}.`,
    issues: [{ path: SOURCE, message: `must be one of ${SOURCES.join(", ")} beside ${names.join(" or ")}` }],
  });
}

export function writeOperatorContext(metadata: Metadata, { operator, reason }: OperatorContext): void {
  if (operator) metadata.set(OPERATOR, Buffer.from(operator));
  if (reason) metadata.set(REASON, Buffer.from(reason));
}

export function readOperatorContext(metadata: Metadata): OperatorContext {
  return { operator: first(metadata, OPERATOR), reason: first(metadata, REASON) };
}

/**
 * The address from which the client's request came, as the public port saw it; empty if the calling service does not say. It is used only
 * for logs.
 */
export function readAddress(metadata: Metadata): string {
  return first(metadata, ADDRESS);
}

export function readRequestId(metadata: Metadata): string {
  return first(metadata, REQUEST_ID_KEY);
}

/** The calling service's span, as W3C traceparent; empty if there is none. */
export function readTraceparent(metadata: Metadata): string {
  return first(metadata, TRACEPARENT_KEY);
}

function first(metadata: Metadata, name: string): string {
  return metadata.get(name)[0]?.toString() ?? "";
}

function isSource(value: string): value is Source {
  return (SOURCES as readonly string[]).includes(value);
}
