// The tool get_membership: the caller's membership and plan.
import { z } from "zod";
import { fromMessage } from "../../proto/codec.ts";
import { membershipSchema } from "../../proto/resources/membership.ts";
import { defineTool } from "../protocol/tool.ts";

export const getMembership = defineTool({
  name: "get_membership",
  title: "Show the membership",
  endpoints: ["member"],
  description: [
    "Shows the member's tier, its end, and the plan: jobs at a time, credits a month, and whether it includes generation.",
    "Costs nothing. get_credits shows the credits left.",
  ].join(" "),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({}),
  // Only an eligible caller gets an answer; the names are in the text.
  output: membershipSchema.omit({ eligible: true, started_at: true, tier_name: true, plan_name: true }),
  async handle(_args, { core, call }) {
    const membership = fromMessage(membershipSchema, await core.memberships.GetMembership({}, call));
    return { text: describeMembership(membership), structured: membership };
  },
});

function describeMembership(membership: z.output<typeof membershipSchema>): string {
  const { tier_name, status, started_at, current_period_end, plus_products } = membership;
  const { plan_name, concurrency, monthly_credits, plan_includes_api } = membership;
  return [
    `Membership: ${tier_name ?? "none"}, ${status}, from ${started_at ?? "never"} until ${current_period_end ?? "never"}.`,
    plus_products
      ? "Products only for members can be bought with it."
      : "Products only for members take a higher tier.",
    `Plan: ${plan_name}; ${concurrency} ${concurrency === 1 ? "job" : "jobs"} at a time; ${monthly_credits} credits a month; generation through tools is ${plan_includes_api ? "" : "not "}included.`,
  ].join("\n");
}
