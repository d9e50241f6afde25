// Who may call core, and what a service token may claim: names of services, the RPC services that they may call, and the right to act
// for an account. Pure.
import type { RpcService } from "../../proto/client.ts";

const SERVICE_NAME = /^[a-z][a-z0-9-]{0,62}$/;

export type OwnService = "gateway" | "mcp" | "cli";

/**
 * Which of the service's processes may call each RPC service. The protos declare the services, and the code does not compile if one is
 * missing here.
 */
const CALLERS: Readonly<Record<RpcService, readonly OwnService[]>> = {
  Accounts: ["gateway", "mcp"],
  Admin: ["cli"],
  Callbacks: ["gateway"],
  Catalog: ["gateway", "mcp"],
  CatalogAdmin: ["cli"],
  Credits: ["gateway", "mcp"],
  Jobs: ["gateway", "mcp"],
  Library: ["gateway"],
  Memberships: ["gateway", "mcp", "cli"],
  Models: ["gateway", "mcp", "cli"],
  Orders: ["gateway", "mcp"],
  Proof: ["gateway"],
  Sessions: ["gateway"],
  Subscriptions: ["gateway"],
  Tickets: ["gateway"],
  Uploads: ["gateway", "mcp"],
  Workflows: ["gateway", "mcp"],
};

/** The RPC services that a token may name in its scope. */
export const SERVICE_SCOPES = Object.keys(CALLERS) as readonly RpcService[];

/** A token with this scope may call for any account by naming it, without a key of that account. */
export const ACT_AS = "act-as";
/** In a token's scope: its holder may hold, capture and release credits of any account. No built-in service has it. */
export const HOLD_CREDITS = "Credits.Hold";
export type Claim = RpcService | typeof ACT_AS | typeof HOLD_CREDITS;
export const CLAIMS: readonly Claim[] = [...SERVICE_SCOPES, HOLD_CREDITS, ACT_AS];

/** Methods that need a claim of their own in place of that of their service. */
const CLAIM_OF: Readonly<Record<string, Claim>> = {
  "Credits.Hold": HOLD_CREDITS,
  "Credits.Capture": HOLD_CREDITS,
  "Credits.Release": HOLD_CREDITS,
};

/** The scope that a token must claim for a call of this method. */
export function claimFor(service: string, method: string): string {
  return CLAIM_OF[`${service}.${method}`] ?? service;
}

const callableBy = (name: OwnService): Claim[] =>
  SERVICE_SCOPES.filter((service) => CALLERS[service].includes(name));

/**
 * Each built-in service that calls core has its own key, and its tokens can claim no more than this. Core and worker call no one. The key
 * of the cli also signs the tokens of other internal services.
 */
export const OWN_SERVICES: Readonly<Record<OwnService, readonly Claim[]>> = {
  gateway: [...callableBy("gateway"), ACT_AS],
  mcp: callableBy("mcp"),
  cli: callableBy("cli"),
};

/** Tokens are never issued or revoked under these names. To stop one of these processes, replace its key. */
export const OWN_SERVICE_NAMES: readonly string[] = ["core", "worker", ...Object.keys(OWN_SERVICES)];

export function isOwnService(name: string): name is OwnService {
  return Object.hasOwn(OWN_SERVICES, name);
}

/** Returns whether another internal service may use this name. */
export function isForeignServiceName(name: string): boolean {
  return SERVICE_NAME.test(name) && !OWN_SERVICE_NAMES.includes(name);
}
