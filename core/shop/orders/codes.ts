// Discount codes: what operators make of them. A code never changes, but it can be ended.
import { z } from "zod";
import { AppError, invalidField } from "../../../proto/codes.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import type { DiscountCodeResource } from "../../../proto/resources/order.ts";
import { isDuplicateKey } from "../../base/mongo/errors.ts";
import type { App } from "../../kernel/app.ts";
import { findProduct } from "../catalog/find-product.ts";
import { codeName } from "./code-rules.ts";
import { countAllUses, type DiscountCodeDoc, endCode, findCodes, insertCode } from "./store-codes.ts";

const limit = z.number().int().min(1).max(1_000_000).nullable();
const codeSchema = z
  .object({
    code: z.string().regex(/^[A-Z0-9][A-Z0-9-]{2,29}$/, {
      error: "must have 3 to 30 letters, digits and hyphens, for example SUMMER-20",
    }),
    percent: z.number().int().min(1).max(100).nullable(),
    off_cents: z.number().int().min(1).max(100_000_000).nullable(),
    product_slug: z.string().nullable(),
    expires_at: z.iso.datetime().nullable(),
    max_uses: limit,
    max_uses_each: limit,
  })
  .refine(({ percent, off_cents: off }) => (percent === null) !== (off === null), {
    error: "or an amount must be given, and not both",
    path: ["percent"],
  });

export type NewCode = z.input<typeof codeSchema>;

/** Throws invalid_request, also for a code that exists, and product_not_found. */
export async function createCode(app: App, wanted: NewCode): Promise<DiscountCodeResource> {
  const { code, product_slug, expires_at, ...terms } = parseRequest(codeSchema, {
    ...wanted,
    code: codeName(wanted.code),
  });
  const product = product_slug === null ? undefined : await findProduct(app, product_slug);
  const now = app.clock.now();
  if (expires_at !== null && new Date(expires_at) <= now)
    throw invalidField("expires_at", "must be in the future, or be left out for a code without an end");
  if (product_slug !== null && !product)
    throw new AppError("product_not_found", { message: "No product has this slug." });
  const doc: DiscountCodeDoc = {
    _id: code,
    ...terms,
    product_id: product?._id ?? null,
    product_slug,
    expires_at: expires_at === null ? null : new Date(expires_at),
    created_at: now,
    applied: 0,
  };
  await insertCode(app.mongo.db, doc).catch((error: unknown) => {
    throw isDuplicateKey(error) ? wrongCode(`The code ${code} exists already.`) : error;
  });
  return toCode(doc, 0);
}

/** The newest first, with how often each was used. */
export async function listCodes({ mongo }: Pick<App, "mongo">): Promise<DiscountCodeResource[]> {
  const uses = await countAllUses(mongo.db);
  return (await findCodes(mongo.db)).map((code) => toCode(code, uses.get(code._id) ?? 0));
}

/** Orders that have it keep it. Throws invalid_request if there is none that still works. */
export async function endDiscountCode(app: App, typed: string): Promise<DiscountCodeResource> {
  const name = codeName(typed);
  const ended = await endCode(app.mongo.db, name, app.clock.now());
  if (!ended) throw wrongCode(`There is no code ${name}, or it has ended already.`);
  return toCode(ended, (await countAllUses(app.mongo.db)).get(name) ?? 0);
}

export function wrongCode(message: string): AppError {
  return new AppError("invalid_request", { message, issues: [{ path: "code", message }] });
}

function toCode(code: DiscountCodeDoc, uses: number): DiscountCodeResource {
  const { _id, percent, off_cents, product_slug, expires_at, max_uses, max_uses_each } = code;
  return {
    code: _id,
    percent,
    off_cents,
    product_slug,
    expires_at: expires_at?.toISOString() ?? null,
    max_uses,
    max_uses_each,
    uses,
  };
}
