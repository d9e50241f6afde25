// Memberships and licences as clients see them.
import { z } from "zod";

const MEMBERSHIP_STATUSES = ["active", "lapsed", "none"] as const;
export type MembershipStatus = (typeof MEMBERSHIP_STATUSES)[number];

/** Each kind allows everything that the ones before it allow. */
export const LICENCE_KINDS = ["standard", "client"] as const;
export type LicenceKind = (typeof LICENCE_KINDS)[number];

/** The kinds that allow everything that this one allows: a client licence covers the standard one. */
export function kindsThatCover(kind: LicenceKind): readonly LicenceKind[] {
  return LICENCE_KINDS.slice(LICENCE_KINDS.indexOf(kind));
}

/** A tier without any benefit is not sold. */
export function hasBenefits({
  member_tools,
  plus_products,
  discount_percent = 0,
}: {
  readonly member_tools: boolean;
  readonly plus_products: boolean;
  readonly discount_percent?: number;
}): boolean {
  return member_tools || plus_products || discount_percent > 0;
}

export const LICENCE_SOURCES = ["purchase", "membership", "grant"] as const;
export type LicenceSource = (typeof LICENCE_SOURCES)[number];

const LICENCE_STATUSES = ["active", "revoked"] as const;

export const membershipSchema = z
  .object({
    status: z.enum(MEMBERSHIP_STATUSES),
    tier: z.string().nullable(),
    tier_name: z.string().nullable(),
    started_at: z.iso.datetime().nullable().describe("Since when it has been active without a gap."),
    current_period_end: z.iso.datetime().nullable().describe("Active until then."),
    eligible: z.boolean().describe("Active, and of a tier that includes the member tools."),
    plus_products: z.boolean().describe("Whether products with plus_only can be bought."),
    plan: z.string(),
    plan_name: z.string(),
    plan_includes_api: z.boolean().describe("Whether the plan includes generation through the API."),
    concurrency: z.number().int().describe("Jobs that run at a time."),
    monthly_credits: z.number().int(),
  })
  .meta({ id: "Membership" });

export const licenceSchema = z
  .object({
    licence_id: z.string(),
    product_id: z.string(),
    product_slug: z.string(),
    product_name: z.string().describe("As it was when the licence was granted."),
    kind: z.enum(LICENCE_KINDS),
    source: z
      .enum(LICENCE_SOURCES)
      .describe("How it came: bought, with the membership, or given by support."),
    status: z.enum(LICENCE_STATUSES),
    granted_at: z.iso.datetime(),
    revoked_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "Licence" });

export type MembershipResource = z.output<typeof membershipSchema>;
export type LicenceResource = z.output<typeof licenceSchema>;
