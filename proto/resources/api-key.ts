// API keys as their owner sees them.
import { z } from "zod";
import type { ApiKey } from "../types/atelier/v1/ApiKey.ts";

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

export function fromApiKey(key: ApiKey): ApiKeyResource {
  return {
    key_id: key.key_id,
    name: key.name,
    scope: apiKeySchema.shape.scope.parse(key.scope),
    masked: key.masked,
    created_at: key.created_at,
    expires_at: key.expires_at ?? null,
    last_used_at: key.last_used_at ?? null,
    revoked_at: key.revoked_at ?? null,
  };
}
