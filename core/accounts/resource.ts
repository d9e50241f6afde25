// Keys and plans as their owner sees them.
import type { ApiKeyResource } from "../../proto/resources/api-key.ts";
import type { PlanResource } from "../../proto/resources/model.ts";
import type { PlanDoc } from "../definitions.ts";
import type { KeyDoc } from "./store.ts";

export function toApiKey(key: KeyDoc): ApiKeyResource {
  return {
    key_id: key.key_id,
    name: key.name,
    scope: key.scope,
    masked: key.masked,
    created_at: key.created_at.toISOString(),
    expires_at: key.expires_at?.toISOString() ?? null,
    last_used_at: key.last_used_at?.toISOString() ?? null,
    revoked_at: key.revoked_at?.toISOString() ?? null,
  };
}

export function toPlan({ _id, name, concurrency, api, monthly_credits, price_cents }: PlanDoc): PlanResource {
  const price_usd = price_cents === undefined ? null : price_cents / 100;
  return { plan: _id, name, concurrency, api, monthly_credits, price_usd };
}
