// A core that is killed with -9 between any two steps of buying: afterwards every paid order is fulfilled or given back, once.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, inject, test } from "vitest";
import { refundPayment } from "../../core/shop/orders/give-back.ts";
import { checkOpenOrder } from "../../core/shop/orders/reconcile.ts";
import type { OrderDoc } from "../../core/shop/orders/store.ts";
import { createCustomer, createTestApp } from "../support/app.ts";
import { auditFindings } from "../support/audit.ts";
import { COMPILED } from "../support/child-env.ts";
import { SHOP_KILLS } from "./shop-kills.ts";

/** A checkout whose answer was lost is waited for first, about half a second; then there is time for some purchases, never the same twice. */
const LIVES_MS = { least: 500, more: 500 };
const BUYERS = 4;

test(
  "[SHOP-02] every paid order is fulfilled or given back, once, and the audit is clean",
  { timeout: 900_000 },
  async () => {
    const { app, database, close } = await createTestApp();
    const dataDir = mkdtempSync(join(tmpdir(), "atelier-test-shop-"));
    const buyers: string[] = [];
    while (buyers.length < BUYERS) buyers.push((await createCustomer(app, { credits: 0 })).accountId);
    const file = fileURLToPath(new URL("suite/shop-process.ts", import.meta.url));
    const env = {
      ...COMPILED,
      MONGODB_URI: inject("mongodUri"),
      ATELIER_MONGO_DATABASE: database.name,
      ATELIER_DATA_DIR: dataDir,
      ATELIER_LOG_LEVEL: "silent",
    };
    for (let life = 0; life < SHOP_KILLS; life++) {
      const child = fork(file, buyers, { env, stdio: ["ignore", "ignore", "inherit", "ipc"] });
      await once(child, "message");
      await sleep(LIVES_MS.least + Math.random() * LIVES_MS.more);
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    await settle();
    const orders = await app.mongo.db.collection<OrderDoc>("orders").find().toArray();
    expect(orders.length).toBeGreaterThan(SHOP_KILLS / 2);
    expect(orders.filter(({ state }) => state === "placed" || state === "paid")).toEqual([]);
    const checkouts = await app.mongo.db
      .collection<{ orderId: string; state: string; refunded: boolean }>("demo_checkouts")
      .find()
      .toArray();
    const byId = new Map(orders.map((order) => [order._id, order]));
    const paid = checkouts.filter(({ state }) => state === "paid");
    expect(paid.length).toBeGreaterThan(0);
    // At the bank: who paid has what was bought, or the money again; never both, never neither.
    const wrong = paid.filter(
      ({ orderId, refunded }) => (byId.get(orderId)?.state === "fulfilled") === refunded,
    );
    expect(wrong).toEqual([]);
    expect(await auditFindings(app)).toEqual([]);
    rmSync(dataDir, { recursive: true, force: true });
    await close();

    /** What a worker does once somebody is there again: as if a day had passed. */
    async function settle(): Promise<void> {
      const { db } = app.mongo;
      const long = new Date(1);
      await db
        .collection("orders")
        .updateMany({ state: "placed" }, { $set: { "work.due_at": long, expires_at: long } });
      while (await checkOpenOrder(app));
      await db
        .collection("payments")
        .updateMany({ state: "to_give_back" }, { $set: { "work.due_at": long } });
      while (await refundPayment(app));
    }
  },
);
