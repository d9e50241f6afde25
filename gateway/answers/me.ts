// Who is calling, with the rates that this gateway allows a key; core does not know those.
import { z } from "zod";
import { meSchema } from "../../proto/resources/me.ts";
import type { Config } from "../../runtime/config/config.ts";

export const meAnswerSchema = meSchema
  .extend({
    rate_limits: z
      .object({
        generate_per_minute: z.number().int().describe("Generate requests."),
        requests_per_minute: z.number().int().describe("All others, together."),
      })
      .meta({ id: "KeyRates" })
      .nullable()
      .describe("Of each key; null where nothing is limited."),
  })
  .meta({ id: "Me" });

export type MeAnswer = z.output<typeof meAnswerSchema>;

export function keyRates(
  config: Pick<Config, "rateLimits" | "rateGeneratePerMinute" | "rateApiPerMinute">,
): MeAnswer["rate_limits"] {
  if (!config.rateLimits) return null;
  return {
    generate_per_minute: config.rateGeneratePerMinute,
    requests_per_minute: config.rateApiPerMinute,
  };
}
