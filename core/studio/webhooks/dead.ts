// Deliveries that failed permanently: an operator lists them, sends them again, or gives them up.
import { encodeTime } from "ulid";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { type Page, pageById, type PageRequest } from "../../kernel/page.ts";
import { sameEnd, subjectOf } from "./delivery-id.ts";
import { newDelivery } from "./queue.ts";
import { decideResend } from "./rules.ts";
import {
  closeDead,
  countDead,
  type DeadFilter,
  type DeadEndpoint,
  findDead,
  findDeadEndpoints,
  findDeliveriesByEnd,
} from "./store-dead.ts";
import { type DeliveryDoc, insertDeliveries } from "./store.ts";

const MAX_COUNTED = 10_000;
const MAX_ENDPOINTS = 100;

/** Of jobs made within these limits. */
export type DeadQuery = Pick<DeadFilter, "host" | "accountId" | "ids"> & {
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
};

/** Those of the newest jobs first. Throws invalid_request naming the parameter. */
export async function listDead(
  { mongo }: Pick<App, "mongo">,
  query: DeadQuery,
  request: PageRequest,
): Promise<Page<DeliveryDoc>> {
  const filter = filterOf(query);
  return pageById(request, (after, limit) => {
    const beforeId = [filter.beforeId, after].filter((id) => id !== undefined).sort()[0];
    return findDead(mongo.db, { ...filter, beforeId }, limit);
  });
}

/** All of them, up to `limit`. */
export async function selectDead(
  { mongo }: Pick<App, "mongo">,
  query: DeadQuery,
  limit: number,
): Promise<DeliveryDoc[]> {
  return findDead(mongo.db, filterOf(query), limit);
}

/** By receiver, those with the most first. */
export async function deadEndpoints({ mongo }: Pick<App, "mongo">): Promise<DeadEndpoint[]> {
  return findDeadEndpoints(mongo.db, MAX_ENDPOINTS);
}

/** Counts up to 10,000. */
export async function measureDead({ mongo }: Pick<App, "mongo">): Promise<number> {
  return countDead(mongo.db, MAX_COUNTED);
}

function filterOf({ since, until, ...query }: DeadQuery): DeadFilter {
  const at = (time: Date | undefined) => time && `dlv_${encodeTime(time.getTime())}`;
  return { ...query, fromId: at(since), beforeId: at(until) };
}

export type WhyNotDelivered = "gone" | "arrived" | "on_its_way" | "exhausted" | "closed";

/** In words that follow "1 delivery". */
export const WHY_NOT_DELIVERED: Readonly<Record<WhyNotDelivered, string>> = {
  gone: "that is not here, or not any more",
  arrived: "whose job's end was delivered since",
  on_its_way: "that is on its way again already",
  exhausted: "that was sent again ten times already",
  closed: "that was dealt with already",
};

export type DeliveryVerdict =
  | { readonly id: string; readonly done: true; readonly credits: 0; readonly detail: string }
  | { readonly id: string; readonly done: false; readonly why: WhyNotDelivered };

/**
 * Sends each again, as a new delivery of the same end, or gives it up; in both cases it is dealt with. Each is checked by its state in this
 * transaction, so doing it twice changes nothing. The limits of the owner's own redeliveries do not apply here, but the limit of a job
 * does.
 */
export async function actOnDead(
  app: App,
  act: "redeliver" | "give_up",
  ids: readonly string[],
  tx: TxContext,
): Promise<{ verdicts: DeliveryVerdict[]; announce: () => void }> {
  const { db } = app.mongo;
  const byEnd = await findDeliveriesByEnd(db, [...new Set(ids.map(sameEnd))], tx);
  const made: DeliveryDoc[] = [];
  const closed: string[] = [];
  const verdicts = ids.map((id): DeliveryVerdict => {
    const ofEnd = byEnd.get(sameEnd(id)) ?? [];
    const delivery = ofEnd.find(({ _id }) => _id === id);
    const why = whyNot(act, delivery, ofEnd);
    if (!delivery || why) return { id, done: false, why: why ?? "gone" };
    closed.push(id);
    if (act === "redeliver") {
      const again = nextOf(delivery, ofEnd.length + 1, tx.now);
      made.push(again);
      byEnd.set(sameEnd(id), [...ofEnd, again]);
    }
    return { id, done: true, credits: 0, detail: `to ${delivery.host}, of ${subjectOf(delivery)}` };
  });
  await insertDeliveries(db, made, tx);
  await closeDead(db, closed, tx.now, tx);
  return { verdicts, announce: () => void app.signals.emit("deliverable") };
}

function whyNot(
  act: "redeliver" | "give_up",
  delivery: DeliveryDoc | undefined,
  ofEnd: readonly DeliveryDoc[],
): WhyNotDelivered | undefined {
  if (!delivery) return "gone";
  if (delivery.closed_at) return "closed";
  if (delivery.status === "delivered") return "arrived";
  if (delivery.status === "pending") return "on_its_way";
  if (act === "give_up") return undefined;
  if (ofEnd.some(({ status }) => status === "delivered")) return "arrived";
  const { kind } = decideResend(ofEnd);
  if (kind === "hasten") return "on_its_way";
  return kind === "exhausted" ? "exhausted" : undefined;
}

function nextOf(
  { account_id, job_id, workflow_id, event_id, endpoint_id, url, event }: DeliveryDoc,
  number: number,
  at: Date,
): DeliveryDoc {
  const ended = { accountId: account_id, url, event, at };
  if (event_id !== undefined && endpoint_id !== undefined)
    return newDelivery({ ...ended, eventId: event_id, endpointId: endpoint_id }, number);
  const of = workflow_id === undefined ? { jobId: job_id ?? "" } : { workflowId: workflow_id };
  return newDelivery({ ...ended, ...of }, number);
}
