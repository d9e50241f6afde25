// The caller's own account, as the caller sees it.
import { z } from "zod";
import { apiKeySchema } from "./api-key.ts";
import { planSchema } from "./model.ts";

export const meSchema = z
  .object({
    account_id: z.string(),
    plan: planSchema,
    key: apiKeySchema.nullable().describe("The key that was sent; null for a signed-in user."),
    credits_available: z.number().int(),
    jobs: z
      .object({
        waiting: z.number().int().describe("In state reserved."),
        running: z.number().int().describe("Of the plan's concurrency."),
      })
      .meta({ id: "JobCounts" }),
  })
  .meta({ id: "Caller" });

export type MeResource = z.output<typeof meSchema>;
