// The tool get_plans: the same as GET /api/plans.
import { z } from "zod";
import { fromMessages } from "../../proto/codec.ts";
import { type PlanResource, planSchema } from "../../proto/resources/model.ts";
import { defineTool } from "../protocol/tool.ts";
import { inDollars } from "./describe-product.ts";

export const getPlans = defineTool({
  name: "get_plans",
  title: "Show plans and prices",
  endpoints: ["catalog"],
  description: [
    "Shows every plan: monthly price in USD, monthly credits, jobs at a time, and whether it includes the API.",
    "Use it when the user asks what generating costs. Costs nothing. Only the user can choose a plan, on the website.",
  ].join(" "),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({}),
  output: z.object({ plans: z.array(planSchema) }),
  async handle(_args, { core, call }) {
    const plans = fromMessages(planSchema, (await core.models.ListPlans({}, call)).plans);
    return { text: plans.map(describePlan).join("\n"), structured: { plans } };
  },
});

function describePlan({ plan, name, price_usd, monthly_credits, concurrency, api }: PlanResource): string {
  const price =
    price_usd === null ? "not sold" : price_usd === 0 ? "free" : `${inDollars(price_usd)} a month`;
  const jobs = `${concurrency} ${concurrency === 1 ? "job" : "jobs"} at a time`;
  return `${plan}: ${name}. ${price}; ${monthly_credits} credits a month; ${jobs}; ${api ? "with" : "without"} the API and its tools.`;
}
