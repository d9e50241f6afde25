// The dry run of an act on many things: counts what it would do, and records to which things, so that acting affects these and no others.
import { z } from "zod";
import { parseRequest } from "../../../proto/resources/issues.ts";
import { timeSchema } from "../../../proto/resources/page.ts";
import { getAnyAccount } from "../../identity/accounts/get-account.ts";
import type { App } from "../../kernel/app.ts";
import { given } from "../../kernel/page.ts";
import { selectDead } from "../../studio/webhooks/dead.ts";
import { DELIVERY_ACTS, isDeliveryAct } from "./acts.ts";
import { type AskedBulk, MAX_ITEMS, type Meant, meantJobs, SAMPLE, tooMany } from "./meant-jobs.ts";
import { type BulkDoc, insertBulk, type PartDoc, partId } from "./store.ts";

/** Things that are done in one transaction. */
const PART_ITEMS = 50;
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Changes nothing but the list of bulks. Throws invalid_request, and not_found for an unknown account. */
export async function planBulk(app: App, asked: AskedBulk, operator: string): Promise<BulkDoc> {
  const meant = isDeliveryAct(asked.act) ? await meantDeliveries(app, asked) : await meantJobs(app, asked);
  const { act, items, planned } = meant;
  const now = app.clock.now();
  const bulk: BulkDoc = {
    _id: app.newId("blk"),
    act,
    selection: describe(asked, meant),
    operator: operator || null,
    items: items.length,
    created_at: now,
    started_at: null,
    ended_at: null,
    expires_at: new Date(now.getTime() + KEPT_MS),
    planned,
  };
  await insertBulk(app.mongo.db, bulk, partsOf(bulk, items));
  return bulk;
}

function partsOf({ _id, expires_at }: BulkDoc, items: Meant["items"]): PartDoc[] {
  const parts: PartDoc[] = [];
  for (let at = 0; at < items.length; at += PART_ITEMS) {
    parts.push({
      _id: partId(_id, parts.length + 1),
      items: items.slice(at, at + PART_ITEMS),
      ended_at: null,
      result: null,
      expires_at,
    });
  }
  return parts;
}

/** For example `state completed, model picture, since 2026-01-31T00:00:00.000Z`. */
function describe({ act: _act, ids, ...asked }: AskedBulk, { account, usual }: Meant): string {
  const named = ids.length > 0 ? [`${ids.length} ids`] : [];
  const fields = Object.entries({ ...asked, account, state: asked.state || usual }).flatMap(([name, value]) =>
    value ? [`${name} ${value}`] : [],
  );
  return [...named, ...fields].join(", ");
}

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
async function meantDeliveries(app: App, asked: AskedBulk): Promise<Meant> {
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
