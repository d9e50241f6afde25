// Takes due deliveries under a lease: receiver by receiver, as far as there is capacity for attempts at each.
import type { App } from "../../kernel/app.ts";
import type { Endpoints } from "./endpoints.ts";
import { type DeliveryDoc, findDueEndpoints, leaseDeliveries } from "./store.ts";

export type TakeOptions = {
  leaseMs: number;
  /** The number of rows to look at for each receiver. */
  rowsEach: number;
};

/**
 * Runs one pass. Capacity is reserved for every delivery that it returns. An empty result means that nothing is due for which there is
 * capacity.
 */
export async function takeDue(
  app: App,
  receivers: Endpoints,
  { leaseMs, rowsEach }: TakeOptions,
): Promise<DeliveryDoc[]> {
  const chosen = await chooseDue(app, receivers, rowsEach);
  if (chosen.size === 0) return [];
  let taken: DeliveryDoc[] = [];
  try {
    const now = app.clock.now();
    const lease = { owner: app.newId("lse"), until: new Date(now.getTime() + leaseMs) };
    taken = await leaseDeliveries(app.mongo.db, [...chosen.keys()], lease, now);
  } finally {
    for (const delivery of taken) chosen.delete(delivery._id);
    // Another deliverer was faster with these.
    for (const host of chosen.values()) receivers.ended(host);
  }
  return taken;
}

/** Ids of rows to take, with their receivers, for which capacity is reserved: receiver by receiver, until it is used up. */
async function chooseDue(app: App, receivers: Endpoints, rowsEach: number): Promise<Map<string, string>> {
  const chosen = new Map<string, string>();
  const room = receivers.free();
  if (room === 0) return chosen;
  const query = { now: app.clock.now(), hosts: receivers.wanted(), maxHosts: room, rowsEach };
  const afterHost = receivers.last();
  const due = await findDueEndpoints(app.mongo.db, { ...query, afterHost });
  if (due.length < room && afterHost !== "") {
    // The end of the list was reached: it continues from the beginning.
    const known = new Set(due.map(({ host }) => host));
    const others = await findDueEndpoints(app.mongo.db, { ...query, afterHost: "" });
    due.push(...others.filter(({ host }) => !known.has(host)));
  }
  for (const { host, ids } of due) {
    for (const id of ids.slice(0, receivers.freeFor(host))) {
      chosen.set(id, host);
      receivers.started(host);
    }
  }
  return chosen;
}
