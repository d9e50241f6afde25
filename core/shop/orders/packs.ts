// Credit packs: what is sold, and operators' changes to it. An order keeps the terms under which it was placed.
import { z } from "zod";
import { parseRequest } from "../../../proto/resources/issues.ts";
import type { App } from "../../kernel/app.ts";
import { type CreditPackDoc, findPacks, insertMissingPacks, putPack } from "./store.ts";

const SEEDED_PACKS: readonly CreditPackDoc[] = [
  { _id: "small", credits: 500, price_cents: 500, active: true },
  { _id: "medium", credits: 2_200, price_cents: 2_000, active: true },
  { _id: "large", credits: 12_000, price_cents: 10_000, active: true },
];

const packSchema = z.object({
  _id: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be lower-case words joined by hyphens")
    .max(50),
  credits: z.number().int().min(1).max(100_000_000),
  price_cents: z.number().int().min(50).max(100_000_000),
  active: z.boolean(),
});

/** Inserts missing packs and leaves the others unchanged. Safe to run in several processes at the same time. */
export async function seedPacks(app: Pick<App, "mongo">): Promise<void> {
  await insertMissingPacks(app.mongo.db, SEEDED_PACKS);
}

/** The smallest first; including those that are not sold any more. */
export async function listPacks(app: App): Promise<CreditPackDoc[]> {
  return findPacks(app.mongo.db);
}

/** Creates or changes one. Throws invalid_request. */
export async function setPack(app: App, pack: CreditPackDoc): Promise<CreditPackDoc> {
  const checked = parseRequest(packSchema, pack);
  await putPack(app.mongo.db, checked);
  return checked;
}
