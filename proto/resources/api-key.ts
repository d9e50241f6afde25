// API keys as their owner sees them.
import { z } from "zod";

export const KEY_SCOPES = ["read", "write"] as const;

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
  })
  .meta({ id: "ApiKey" });

export type ApiKeyResource = z.output<typeof apiKeySchema>;
