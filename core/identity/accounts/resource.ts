// Keys and plans as their owner sees them, in responses and in events.
import type { ApiKeyResource } from "../../../proto/resources/api-key.ts";
import type { PlanResource } from "../../../proto/resources/model.ts";
import type { PlanDoc } from "../../kernel/definitions.ts";
import type { NewEvent } from "../../kernel/events/record.ts";
import { capStates, limitOfKey } from "./cap-rules.ts";
import { monthOf, raisedNow, spentIn } from "./rules.ts";
import type { KeyDoc } from "./store.ts";

export function toApiKey(key: KeyDoc, now: Date): ApiKeyResource {
  const raised = raisedNow(key, now);
  const limit = limitOfKey(key);
  const caps = (limit ? capStates(now, limit) : []).flatMap(({ period, limit: max_credits, used }) =>
    period === "month" ? [] : [{ per: period, max_credits, credits_used: used }],
  );
  return {
    key_id: key.key_id,
    name: key.name,
    scope: key.scope,
    masked: key.masked,
    created_at: key.created_at.toISOString(),
    expires_at: key.expires_at?.toISOString() ?? null,
    last_used_at: key.last_used_at?.toISOString() ?? null,
    revoked_at: key.revoked_at?.toISOString() ?? null,
    max_credits: key.max_credits ?? null,
    credits_this_month: key.max_credits === undefined ? null : spentIn(monthOf(now), key.spent),
    confirm_above: key.confirm_above ?? null,
    ...(raised && { confirm_raised: { above: raised.above, until: raised.until.toISOString() } }),
    replaced_by: key.replaced_by ?? null,
    ...(caps.length > 0 && { caps }),
  };
}

export function toPlan({ _id, name, concurrency, api, monthly_credits, price_cents }: PlanDoc): PlanResource {
  const price_usd = price_cents === undefined ? null : price_cents / 100;
  return { plan: _id, name, concurrency, api, monthly_credits, price_usd };
}

export function keyEvent(event: "key.created" | "key.revoked", key: KeyDoc): NewEvent {
  const { account_id: accountId, key_id, name, scope } = key;
  return { accountId, event, data: { key_id, name, scope } };
}
