// The reads and writes of an order's transaction.
import { expect, test } from "vitest";
import { getAccount } from "../../../../core/identity/accounts/get-account.ts";
import { findAnyOrder } from "../../../../core/shop/orders/list-orders.ts";
import { findSubscriptions } from "../../../../core/shop/subscriptions/store.ts";
import { AppError } from "../../../../proto/codes.ts";
import { watchCommands } from "../../../support/watch-commands.ts";
import { newBuyer, paidEvent, placeAndGo, PLUS_TIER, SMALL_PACK, tell, useShop } from "./shop-fixture.ts";

const world = useShop();

test("a paid order of credits reads its account once", async () => {
  const { app } = world;
  const { accountId } = await newBuyer(app);
  const order = await placeAndGo(app, accountId, SMALL_PACK, 500);
  let reads = 0;
  const watched = await watchCommands(world, ({ commandName, command }) => {
    if (commandName === "find" && command["find"] === "accounts") reads += 1;
  });
  expect(await tell({ ...app, mongo: watched.app.mongo }, paidEvent(app, order))).toBe("fulfilled");
  await watched.close();
  expect(reads).toBe(1);
});

test("an order that fails after some of its writes is refused, and none of them stays", async () => {
  const { app } = world;
  const { accountId } = await newBuyer(app);
  const order = await placeAndGo(app, accountId, PLUS_TIER, 1_500);
  // The tier exists when the subscription starts, and is gone when the mail needs its name.
  let asked = 0;
  const tiers = async () => {
    asked += 1;
    if (asked > 1) throw new AppError("not_for_sale", { message: "The membership is gone." });
    return app.tiers();
  };
  const news = { ...paidEvent(app, order), subscriptionRef: `s_${order._id}` };
  expect(await tell({ ...app, tiers }, news)).toBe("refused");
  expect(asked).toBeGreaterThan(1);
  expect(await findAnyOrder(app, order._id)).toMatchObject({
    state: "refunded",
    reason: "The membership is gone.",
  });
  expect((await getAccount(app, accountId)).membership).toBeUndefined();
  // The provider is told to end the subscription that started there.
  expect(await findSubscriptions(app.mongo.db, accountId)).toMatchObject([
    { state: "ended", work: { due_at: expect.any(Date) } },
  ]);
});
