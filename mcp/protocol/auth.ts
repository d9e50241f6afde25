// Who may use the tools of an endpoint. If a key is needed, the checks are in this order: the form of the key, the rate of bad keys from
// one address, the key in the database with everything that access requires, and the rate of the key. For a key that core has confirmed
// lately, the third may come last: a tool whose call of core checks the key anyway spares it.
import type { AnyReply, AnyRequest } from "../../edge/http/any-request.ts";
import type { Client } from "../../edge/http/client-gone.ts";
import type { KeyGuard } from "../../edge/http/key-guard.ts";
import type { LimitName, RateLimits } from "../../edge/http/rate-limit.ts";
import { readSentKey } from "../../edge/sent-key.ts";
import { type Caller, NO_CALLER, type Source } from "../../proto/caller.ts";
import type { KeyKind } from "../../runtime/keys/api-key.ts";
import { addressSubject } from "../../runtime/networks.ts";
import type { Admission } from "./endpoint.ts";
import { namesCancel } from "./plain-messages.ts";
import type { Toolset } from "./tool.ts";

/** The caller for core. The signal is aborted when the client disconnects. */
export type Credential = {
  readonly caller: Caller & { kind: "key" };
  readonly requestId: string;
  readonly signal: AbortSignal;
};

/** What distinguishes the keys of one endpoint. */
export type KeyRules = {
  readonly kind: KeyKind;
  readonly source: Source;
  /** Counts every request of a key. */
  readonly limit: LimitName;
  /** The tool that ends work instead of adding some, so it is accepted during overload too. */
  readonly cancelTool: string;
  /**
   * Asks core on every request, unless a call of core for the tool checks the key too, so that a key which loses its rights loses them
   * immediately. Returns the tools that the key may use. Throws AppErrors.
   */
  readonly authenticate: (credential: Credential) => Promise<Toolset>;
};

/** Admits the holder of a key. Throws AppErrors in the order of the checks. */
export async function admitKey(
  request: AnyRequest,
  reply: AnyReply,
  client: Client,
  { limits, rules, guard }: { limits: RateLimits; rules: KeyRules; guard: KeyGuard<Toolset> },
): Promise<Admission> {
  const isCancel = namesCancel(request.headers, rules.cancelTool);
  if (!isCancel) limits.admit();
  const keySha256 = readSentKey(request.raw, rules.kind);
  const caller = { kind: "key", keySha256, source: rules.source } as const;
  let proof: Promise<Toolset> | undefined;
  const prove = (): Promise<Toolset> =>
    (proof ??= guard.prove(
      { keySha256, address: addressSubject(request.ip), isFromPage: request.headers.origin !== undefined },
      () => rules.authenticate({ caller, requestId: request.id, signal: client.signal }),
      (decision) => limits.enforce(decision, reply),
    ));
  const known = guard.lastAnswer(keySha256);
  const toolset = known ?? (await prove());
  const decision = await limits.count(rules.limit, keySha256);
  if (decision.refusal) await prove();
  limits.enforce(decision, reply);
  const countGeneration = async (): Promise<void> =>
    limits.enforce(await limits.count("generate", keySha256));
  return {
    caller,
    toolset,
    prove: known && prove,
    countGeneration,
    open: () => limits.open(request.ip, caller),
    ...(isCancel && { admitOther: () => limits.admit() }),
  };
}

/** Admits anyone to tools that need no account, within the address's share of the catalog. A key that is sent anyway is ignored. */
export async function admitAnyone(
  request: AnyRequest,
  reply: AnyReply,
  { limits, toolset }: { limits: RateLimits; toolset: Toolset },
): Promise<Admission> {
  limits.admit();
  limits.enforce(await limits.count("catalog", addressSubject(request.ip)), reply);
  return {
    caller: NO_CALLER,
    toolset,
    countGeneration: async () => {},
    open: () => limits.open(request.ip, NO_CALLER),
  };
}
