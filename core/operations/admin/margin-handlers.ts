// The part of the Admin service for earnings: margins, and calls to compare with a provider's bill.
import { toMessages } from "../../../proto/codec.ts";
import { invalidField, oneOf } from "../../../proto/codes.ts";
import {
  type MarginLineResource,
  marginLineSchema,
  providerCallSchema,
} from "../../../proto/resources/margin.ts";
import type { AdminDefinition } from "../../../proto/types/atelier/v1/Admin.ts";
import { monthOf } from "../../identity/accounts/rules.ts";
import type { App } from "../../kernel/app.ts";
import type { Handlers } from "../../kernel/rpc.ts";
import { MICROS } from "../../studio/costs/rules.ts";
import { MARGIN_BY, type MarginLine, monthRange } from "../margin/margin-rules.ts";
import { sumMargins } from "../margin/margin.ts";
import { listProviderCalls } from "../margin/provider-calls.ts";

export function marginHandlers(app: App) {
  return {
    async *GetMargin(request, { signal }) {
      const month = request.month === "" ? monthOf(app.clock.now()) : request.month;
      const range = monthRange(month);
      if (!range) throw invalidField("month", "must be a month such as 2026-11");
      const by = oneOf("by", MARGIN_BY, request.by || "model");
      const { [by]: lines = [] } = await sumMargins(app, range, [by], signal);
      yield { month, by, lines: toMessages(marginLineSchema, lines.map(toLine)) };
    },

    async *ListProviderCalls({ provider, since, until }) {
      const times = { since: new Date(since), until: new Date(until) };
      for await (const calls of listProviderCalls(app, { provider, ...times }))
        yield { calls: toMessages(providerCallSchema, calls) };
    },
  } satisfies Partial<Handlers<AdminDefinition>>;
}

export function toLine(line: MarginLine): MarginLineResource {
  return {
    key: line.key,
    jobs: line.jobs,
    credits_captured: line.captured,
    credits_refunded: line.refunded,
    credits_expired: line.expired,
    revenue_usd: line.revenueMicros / MICROS,
    cost_usd: line.costMicros / MICROS,
    margin_usd: (line.revenueMicros - line.costMicros) / MICROS,
    other_costs: Object.entries(line.otherCosts).map(([currency, micros]) => ({
      currency,
      amount: micros / MICROS,
    })),
    uncosted_jobs: line.uncostedJobs,
    unpriced_credits: line.unpricedCredits,
    unfounded_credits: line.unfoundedCredits,
  };
}
