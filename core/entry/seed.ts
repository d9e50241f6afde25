// The data of a new development installation: models, a demonstration catalog, and one Pro account that is a member, with credits,
// licences, its keys and its webhook secret.
import { AppError } from "../../proto/codes.ts";
import { createKey, provisionMemberKey } from "../identity/accounts/create-key.ts";
import { getAccount } from "../identity/accounts/get-account.ts";
import { grantCredits } from "../identity/credits/grant.ts";
import { openAccount } from "../identity/credits/open-account.ts";
import { createLink } from "../identity/sessions/create-link.ts";
import type { App } from "../kernel/app.ts";
import { writeAsSupport } from "../operations/tickets/change-ticket.ts";
import { openTicket } from "../operations/tickets/open-ticket.ts";
import { seedDemoCatalog } from "../shop/catalog/demo/seed.ts";
import { findProduct } from "../shop/catalog/find-product.ts";
import { setMembership } from "../shop/memberships/change-membership.ts";
import { grantLicence } from "../shop/memberships/licences.ts";
import { seedModels } from "../studio/models/seed.ts";
import { rotateCallbackSecret } from "../studio/webhooks/secret.ts";

const DEMO_EMAIL = "demo@atelier.test";
/** In addition to the monthly credits of its plan. */
const DEMO_CREDITS = 8_000;
const DEMO_MEMBERSHIP_YEARS = 10;
/** One of each kind and source, and one of a product that is not sold any more. */
const DEMO_LICENCES = [
  { productSlug: "isle-docs", kind: "standard", source: "purchase" },
  { productSlug: "vesper-admin", kind: "client", source: "purchase" },
  { productSlug: "pioneer-line-icons", kind: "standard", source: "membership" },
  { productSlug: "lumen-landing", kind: "standard", source: "grant" },
] as const;

const DEMO_TICKET = {
  subject: "May I use an icon set for several clients?",
  kind: "licence",
  about: "",
  text: "I have a standard licence of Pioneer Line Icons. Does it cover the sites that I build for my clients?",
  form_key: "demonstration",
} as const;
const DEMO_ANSWER =
  "A standard licence is for work of your own. For what you make for a client there is the client licence; it is on the page of the product. Just write back if anything is still unclear.";

/** Only the seeding process ever sees this: it is written to the data folder and never logged. */
export type DemoSecrets = {
  generation_key: string;
  read_key: string;
  member_key: string;
  callback_secret: string;
};

/**
 * Safe to run at every start. New keys are made only if the caller no longer has those of an earlier run; an earlier version may have left
 * some out.
 */
export async function seedDevelopment(
  app: App,
  kept: Partial<DemoSecrets> | undefined,
): Promise<DemoSecrets> {
  await seedModels(app);
  await seedDemoCatalog(app);
  const account = await findOrCreateDemo(app);
  const known = account.existed ? kept : undefined;
  await seedMembership(app, account.id);
  await seedTicket(app, account.id);
  const make = async (scope: "read" | "write") =>
    (await createKey(app, account.id, { name: `demo ${scope}`, scope, expiresAt: null })).secret;
  return {
    generation_key: known?.generation_key ?? (await make("write")),
    read_key: known?.read_key ?? (await make("read")),
    member_key:
      known?.member_key ??
      (await provisionMemberKey(app, account.id, { name: "demo assistant", expiresAt: null })).secret,
    callback_secret: known?.callback_secret ?? (await rotateCallbackSecret(app, account.id)).secret,
  };
}

/** Only for an account that never had one: changes by an operator stay. */
async function seedMembership(app: App, accountId: string): Promise<void> {
  if ((await getAccount(app, accountId)).membership) return;
  const until = app.clock.now();
  until.setUTCFullYear(until.getUTCFullYear() + DEMO_MEMBERSHIP_YEARS);
  await setMembership(app, accountId, { tier: "plus", until });
  for (const licence of DEMO_LICENCES) {
    // The catalog may be another one, or smaller.
    if (await findProduct(app, licence.productSlug)) await grantLicence(app, accountId, licence);
  }
}

/** A ticket that support has answered. It is made once; later changes stay. */
async function seedTicket(app: App, accountId: string): Promise<void> {
  const ticket = await openTicket(app, accountId, DEMO_TICKET);
  if (ticket.messages.length === 1) await writeAsSupport(app, ticket._id, DEMO_ANSWER);
}

async function findOrCreateDemo(app: App): Promise<{ id: string; existed: boolean }> {
  try {
    return { id: (await getAccount(app, DEMO_EMAIL))._id, existed: true };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "not_found") throw error;
  }
  const { _id } = await openAccount(app, { email: DEMO_EMAIL, name: "Demo", plan: "pro" });
  await grantCredits(app, {
    accountId: _id,
    amount: DEMO_CREDITS,
    kind: "grant",
    memo: "Demonstration credits",
    source: "system",
    idempotencyKey: "demo",
  });
  return { id: _id, existed: false };
}

/** Lets the holder of the link with this token sign in as the demonstration account. Throws if that account was never created. */
export async function seedSignInLink(app: App, tokenSha256: string): Promise<void> {
  await createLink(app, (await getAccount(app, DEMO_EMAIL)).email, { tokenSha256 });
}
