// Who may call core, and what a service token may claim: names of services, the RPC services that they may call, and the right to act
// for an account. Pure.

/** The RPC services a token may name in its scope. */
export const SERVICE_SCOPES = [
  "Accounts",
  "Admin",
  "Callbacks",
  "Catalog",
  "CatalogAdmin",
  "Credits",
  "Jobs",
  "Library",
  "Memberships",
  "Models",
  "Orders",
  "Sessions",
  "Subscriptions",
  "Tickets",
  "Uploads",
  "Workflows",
] as const;
export type ServiceScope = (typeof SERVICE_SCOPES)[number];

/** In a token's scope: its holder may call for any account by naming it, without a key of that account. */
export const ACT_AS = "act-as";
export const CLAIMS = [...SERVICE_SCOPES, ACT_AS] as const;
export type Claim = (typeof CLAIMS)[number];

/**
 * Each of our processes that calls core has a key of its own, and its tokens can claim no more than this. Core and worker call nobody.
 * The cli's key signs the tokens of other internal services too.
 */
export const OWN_SERVICES = {
  gateway: [
    "Accounts",
    "Callbacks",
    "Catalog",
    "Credits",
    "Jobs",
    "Library",
    "Memberships",
    "Models",
    "Orders",
    "Sessions",
    "Subscriptions",
    "Tickets",
    "Uploads",
    "Workflows",
    ACT_AS,
  ],
  mcp: ["Accounts", "Catalog", "Credits", "Jobs", "Memberships", "Models", "Orders", "Uploads", "Workflows"],
  cli: ["Admin", "CatalogAdmin", "Memberships", "Models"],
} as const satisfies Record<string, readonly Claim[]>;
export type OwnService = keyof typeof OWN_SERVICES;

/** No token is issued under these names, and none is revoked: to stop one, replace its key. */
export const OWN_SERVICE_NAMES: readonly string[] = ["core", "worker", ...Object.keys(OWN_SERVICES)];
const SERVICE_NAME = /^[a-z][a-z0-9-]{0,62}$/;

export function isOwnService(name: string): name is OwnService {
  return Object.hasOwn(OWN_SERVICES, name);
}

/** Whether another internal service may go by this name. */
export function isForeignServiceName(name: string): boolean {
  return SERVICE_NAME.test(name) && !OWN_SERVICE_NAMES.includes(name);
}
