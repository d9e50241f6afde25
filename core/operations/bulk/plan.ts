// The dry run of an act on many things: counts what it would do, and records to which things, so that acting affects these and no others.
import type { App } from "../../kernel/app.ts";
import { isDeliveryAct } from "./acts.ts";
import type { AskedBulk, Meant } from "./asked.ts";
import { meantDeliveries } from "./meant-deliveries.ts";
import { meantJobs } from "./meant-jobs.ts";
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
