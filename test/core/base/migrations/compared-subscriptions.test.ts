// Tasks that the release before has queued for a payment provider become comparisons, and a change keeps its idempotency key.
import { beforeEach, expect, test } from "vitest";
import { comparedSubscriptions } from "../../../../core/base/migrations/0010-compared-subscriptions.ts";
import { compareSubscription } from "../../../../core/shop/subscriptions/compare.ts";
import {
  findSubscription,
  type SubscriptionDoc,
  subscriptions,
} from "../../../../core/shop/subscriptions/store.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { openPerson, payingWith, useShop } from "../../shop/orders/shop-fixture.ts";
import { runBatches } from "./run-batches.ts";

const clock = createFakeClock("2026-01-10T12:00:00.000Z");
const SOON = new Date("2026-02-01T00:00:00.000Z");
const PAST = new Date("2026-01-01T00:00:00.000Z");
const STUDIO = { what: "studio", interval: "month", price_cents: 9_900 } as const;
const UP = { kind: "change", when: "now", offer: STUDIO } as const;

let accountId: string;
const world = useShop({ clock });
beforeEach(async () => {
  world.provider.told.length = 0;
  await rows().deleteMany({});
  ({ accountId } = await openPerson(world.app, "pro"));
});

const rows = () => subscriptions(world.app.mongo.db);
const find = async (id: string) => {
  const found = await findSubscription(world.app.mongo.db, id);
  if (!found) throw new Error(`no ${id}`);
  return found;
};

/** The pending request to a provider, as the release before stored it. */
type Old = {
  task?: { kind: string; when?: string; offer?: typeof STUDIO } | null;
  task_seq?: number;
  task_attempts?: number;
  next_task_at?: Date | null;
  tellings?: number;
  telling_until?: Date;
};

/** A task as the release before stored it. */
async function put(id: string, old: Old): Promise<void> {
  const subscription: SubscriptionDoc & Old = {
    _id: id,
    account_id: accountId,
    kind: "plan",
    what: "pro",
    interval: "month",
    price_cents: 2_900,
    currency: "usd",
    state: "active",
    period_start: PAST,
    period_end: SOON,
    grace_until: null,
    suspended_at: null,
    next_change: null,
    provider: "scripted",
    provider_ref: `s_${id}`,
    events: [{ seq: 1, type: "joined", at: PAST, note: null }],
    created_at: PAST,
    // One of several for an account, which the index allows for ended ones only.
    ended_at: id === "live" ? null : PAST,
    due_at: SOON,
    task: null,
    task_seq: 0,
    task_attempts: 0,
    next_task_at: null,
    ...old,
  };
  await rows().insertOne(subscription);
}

const migrate = () => runBatches(world.app.mongo, comparedSubscriptions, 2);
const queued = (task: NonNullable<Old["task"]>) =>
  ({ task, task_seq: 4, task_attempts: 2, next_task_at: SOON, tellings: 3 }) as const;
const WORK = { due_at: SOON, owner: null, attempts: 2 };

test("the migration moves waiting tasks once, and those that may be in flight to a provider for later", async () => {
  for (const id of ["1", "2", "3"]) await put(id, queued({ kind: "cancel_at_end" }));
  await put("none", {});
  const later = new Date(SOON.getTime() + 30_000);
  await put("told", { ...queued(UP), telling_until: later });
  const none = await find("none");
  await migrate();
  for (const id of ["1", "2", "3"])
    expect(await find(id)).toMatchObject({ work: WORK, change: null, next_task_at: null, tellings: 4 });
  expect(await find("none")).toEqual(none);
  expect(await find("told")).toMatchObject({ work: { ...WORK, due_at: later }, next_task_at: null });
  const before = await rows().find().toArray();
  await migrate();
  expect(await rows().find().toArray()).toEqual(before);
});

test("a change that was taken over is sent with its old key, and then applied", async () => {
  await put("live", { ...queued(UP), next_task_at: PAST });
  await migrate();
  const keys: string[] = [];
  const provider = {
    ...world.provider,
    changeSubscription: async (wanted: Parameters<typeof world.provider.changeSubscription>[0]) => {
      keys.push(wanted.idempotencyKey);
      await world.provider.changeSubscription(wanted);
    },
  };
  expect(await compareSubscription(payingWith(world.app, provider))).toMatchObject({ what: "studio" });
  expect(keys).toEqual(["live:4"]);
  expect(await find("live")).toMatchObject({ next_task_at: null, change: null });
});
