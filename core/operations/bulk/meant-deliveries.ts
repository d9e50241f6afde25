// Finds the failed deliveries that an act applies to. Those that someone has dealt with are not found.
import { z } from "zod";
import { parseRequest } from "../../../proto/resources/issues.ts";
import { timeSchema } from "../../../proto/resources/page.ts";
import { getAnyAccount } from "../../identity/accounts/get-account.ts";
import type { App } from "../../kernel/app.ts";
import { selectDead } from "../../studio/webhooks/dead.ts";
import { given } from "../../kernel/page.ts";
import { DELIVERY_ACTS } from "./acts.ts";
import { type AskedBulk, MAX_ITEMS, type Meant, SAMPLE, tooMany } from "./asked.ts";

const askedSchema = z.strictObject({
  act: z.enum(DELIVERY_ACTS),
  ids: z
    .array(z.string().regex(/^dlv_[0-9A-Z]{26}_\d{3}$/, "must be the id of a delivery of a job"))
    .max(MAX_ITEMS)
    .default([]),
  account: z.string().optional(),
  host: z.string().optional(),
  since: timeSchema.optional(),
  until: timeSchema.optional(),
});

/** Throws invalid_request for more than 50,000, and not_found for an unknown account. */
export async function meantDeliveries(app: App, asked: AskedBulk): Promise<Meant> {
  const { act, ids, account, host, since, until } = parseRequest(askedSchema, given(asked));
  const accountId = account === undefined ? undefined : (await getAnyAccount(app, account))._id;
  const found = await selectDead(
    app,
    {
      ids: ids.length > 0 ? ids : undefined,
      host,
      accountId,
      since: since === undefined ? undefined : new Date(since),
      until: until === undefined ? undefined : new Date(until),
    },
    MAX_ITEMS + 1,
  );
  if (found.length > MAX_ITEMS) throw tooMany("deliveries");
  const missing = ids.length > 0 ? new Set(ids).size - found.length : 0;
  return {
    act,
    items: found.map(({ _id: id, account_id }) => ({ id, account_id })).reverse(),
    account: accountId ?? "",
    usual: "",
    planned: {
      acted: found.length,
      credits: 0,
      revived: 0,
      left: missing > 0 ? [{ why: "closed", count: missing }] : [],
      sample: found.slice(0, SAMPLE).map(({ _id }) => _id),
    },
  };
}
