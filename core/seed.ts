// What the development profile starts with: models, a demonstration catalog, one Pro account with credits, its keys and its callback secret.
import { createAccount } from "./accounts/create-account.ts";
import { createKey } from "./accounts/create-key.ts";
import { getAccount } from "./accounts/get-account.ts";
import type { App } from "./app.ts";
import { rotateCallbackSecret } from "./callbacks/secret.ts";
import { seedDemoCatalog } from "./catalog/demo/seed.ts";
import { grantCredits } from "./credits/grant.ts";
import { seedModels } from "./models/seed.ts";
import { AppError } from "../proto/codes.ts";

const DEMO_EMAIL = "demo@atelier.test";
const DEMO_CREDITS = 10_000;

/** What only the seeding process ever sees: written to the data folder, never logged. */
export type DemoSecrets = { generation_key: string; read_key: string; callback_secret: string };

/** Safe to run at every start. New keys are made only when the caller does not have those of an earlier run any more. */
export async function seedDevelopment(app: App, known: DemoSecrets | undefined): Promise<DemoSecrets> {
  await seedModels(app);
  await seedDemoCatalog(app);
  const account = await findOrCreateDemo(app);
  if (known && account.existed) return known;
  const make = async (scope: "read" | "write") =>
    (await createKey(app, account.id, { name: `demo ${scope}`, scope, expiresAt: null })).secret;
  return {
    generation_key: await make("write"),
    read_key: await make("read"),
    callback_secret: (await rotateCallbackSecret(app, account.id)).secret,
  };
}

async function findOrCreateDemo(app: App): Promise<{ id: string; existed: boolean }> {
  try {
    return { id: (await getAccount(app, DEMO_EMAIL))._id, existed: true };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "not_found") throw error;
  }
  const { _id } = await createAccount(app, { email: DEMO_EMAIL, name: "Demo", plan: "pro" });
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
