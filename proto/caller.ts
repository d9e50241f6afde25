// How a gateway tells core who is calling: metadata on every gRPC call. The key itself never travels further than
// the edge; core gets its SHA-256, which is what the database stores.
import { Metadata } from "@grpc/grpc-js";

export const SOURCES = ["api", "app", "mcp", "member", "system"] as const;
/** Where a request came in. The only thing besides ids and times in which two ledger entries of equal requests differ. */
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
const KEY = "atelier-key-sha256";
const ACCOUNT = "atelier-account";
const SOURCE = "atelier-source";

export function callerMetadata(caller: Caller, requestId: string): Metadata {
  const metadata = new Metadata();
  metadata.set(REQUEST_ID_KEY, requestId);
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

export function readRequestId(metadata: Metadata): string {
  return first(metadata, REQUEST_ID_KEY);
}

function first(metadata: Metadata, name: string): string {
  return metadata.get(name)[0]?.toString() ?? "";
}

function isSource(value: string): value is Source {
  return (SOURCES as readonly string[]).includes(value);
}
