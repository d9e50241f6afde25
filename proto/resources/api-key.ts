// API keys as their owner sees them.
import { z } from "zod";

export const KEY_SCOPES = ["read", "write"] as const;

const HOUR_SECONDS = 3_600;
/** How long a replaced key may continue to work. */
export const KEY_OVERLAP_SECONDS = {
  "1h": HOUR_SECONDS,
  "24h": 24 * HOUR_SECONDS,
  "7d": 168 * HOUR_SECONDS,
} as const;
export type KeyOverlap = keyof typeof KEY_OVERLAP_SECONDS;

export const KEY_CAP_PERIODS = ["day", "week", "total"] as const;

const keyCapSchema = z
  .object({
    per: z.enum(KEY_CAP_PERIODS).describe("In UTC; a week begins on Monday."),
    max_credits: z.number().int(),
    credits_used: z.number().int().describe("Without refunds. total counts since the key first had a limit."),
  })
  .meta({ id: "KeyCap" });

const raisedThresholdSchema = z
  .object({
    above: z.number().int().describe("Takes the place of `confirm_above`."),
    until: z.iso.datetime(),
  })
  .meta({ id: "RaisedThreshold" });

export const apiKeySchema = z
  .object({
    key_id: z.string(),
    name: z.string(),
    scope: z.enum(KEY_SCOPES),
    masked: z.string().describe("Prefix and last four characters."),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable(),
    last_used_at: z.iso.datetime().nullable().describe("To the minute."),
    revoked_at: z.iso.datetime().nullable(),
    max_credits: z
      .number()
      .int()
      .nullable()
      .describe("Most credits that jobs of this key may cost in a calendar month (UTC); null for no limit."),
    credits_this_month: z
      .number()
      .int()
      .nullable()
      .describe("The credits that its jobs of this month cost, without refunds; null if there is no limit."),
    confirm_above: z
      .number()
      .int()
      .nullable()
      .describe(
        "A user has to approve each request of this key that costs more; null if none needs approval.",
      ),
    confirm_raised: raisedThresholdSchema
      .optional()
      .describe("A higher threshold, which the user has set for an hour. Absent otherwise."),
    replaced_by: z
      .string()
      .nullable()
      .describe(
        "key_id of the key that takes its place; this one ends at `expires_at`. null where none does.",
      ),
    caps: z
      .array(keyCapSchema)
      .optional()
      .describe("Limits besides that of the month. Absent where there are none."),
  })
  .meta({ id: "ApiKey" });

export type ApiKeyResource = z.output<typeof apiKeySchema>;
