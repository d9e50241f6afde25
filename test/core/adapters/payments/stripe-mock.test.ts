// Sends every request of the Stripe adapter to Stripe's own stripe-mock, which refuses unknown fields and wrong types.
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { NewCheckout } from "../../../../core/adapters/payments/provider.ts";
import { CACHE_DIR } from "../../../../runtime/mongod/binary-cache.ts";
import { freePort } from "../../../../runtime/process/free-port.ts";
import { createTestDatabase, type TestDatabase } from "../../../support/database.ts";
import type { StripeRequest } from "../../../support/stripe/server.ts";
import { createStripeFixture, SECRET_KEY, type StripeFixture } from "../../../support/stripe/world.ts";
import { waitFor } from "../../../support/wait-for.ts";

const VERSION = "v0.203.0";
const FOLDER = join(CACHE_DIR, `stripe-mock-${VERSION.slice(1)}`);
const BINARY = join(FOLDER, "stripe-mock");
/** It is compiled once on each machine. */
const BUILD_BOUND_MS = 600_000;
/** It reads megabytes of fixtures first. */
const START_BOUND_MS = 120_000;

/** The go command; undefined where there is none. */
function findGo(): string | undefined {
  return ["go", "/usr/local/go/bin/go"].find((command) => {
    try {
      execFileSync(command, ["version"], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  });
}

const go = existsSync(BINARY) ? undefined : findGo();

const canRunStripeMock = existsSync(BINARY) || go !== undefined;

type StripeMock = { readonly baseUrl: string; close(): Promise<void> };

async function startStripeMock(): Promise<StripeMock> {
  if (go !== undefined)
    await promisify(execFile)(go, ["install", `github.com/stripe/stripe-mock@${VERSION}`], {
      env: { ...process.env, GOBIN: FOLDER },
      timeout: BUILD_BOUND_MS,
    });
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  // Without an https option it uses a fixed port for that.
  const addresses = ["-http-addr", `127.0.0.1:${port}`, "-https-addr", "127.0.0.1:0"];
  const child = spawn(BINARY, addresses, { stdio: "ignore" });
  const hasStarted = () =>
    fetch(baseUrl).then(
      () => true,
      () => undefined,
    );
  await waitFor("stripe-mock", hasStarted, START_BOUND_MS).catch((error: unknown) => {
    child.kill();
    throw error;
  });
  return {
    baseUrl,
    close: async () => {
      child.kill();
      await once(child, "exit");
    },
  };
}

let database: TestDatabase;
let mock: StripeMock;
let made = 0;

function wanted(every: NewCheckout["every"]): NewCheckout {
  made += 1;
  return {
    idempotencyKey: `order ${made}`,
    orderId: `ord_${made}`,
    accountId: "acc_1",
    email: "ada@example.com",
    items: [{ name: "Pro", amountCents: 1900 }],
    currency: "usd",
    every,
    ...(every !== "once" && { subscriptionId: "sub_ours" }),
    returnUrl: "https://atelier.test/checkout",
    expiresAt: new Date("2026-01-01T10:00:00.000Z"),
    at: new Date("2026-01-01T00:00:00.000Z"),
  };
}

/** Calls everything in the adapter's interface once. */
async function askForAll(world: StripeFixture): Promise<void> {
  const { provider, double } = world;
  const open = await provider.createCheckout(wanted("once"));
  await provider.cancelCheckout(open.ref);
  const { ref } = await provider.createCheckout(wanted("once"));
  double.bank.pay(ref);
  const { payment } = await provider.fetchCheckout(ref);
  await provider.refund({ idempotencyKey: "back", paymentRef: payment?.ref ?? "" });
  await provider.createPortal({ accountId: "acc_1", returnUrl: "https://atelier.test/account" });
  for (const every of ["month", "year"] as const) {
    const checkout = await provider.createCheckout(wanted(every));
    double.bank.pay(checkout.ref);
    const subscription = (await provider.fetchCheckout(checkout.ref)).subscriptionRef ?? "";
    const item = { name: "Studio", amountCents: 9900 };
    const change = { ref: subscription, item, currency: "usd", every } as const;
    await provider.changeSubscription({ ...change, idempotencyKey: `${every} 1`, when: "now" });
    await provider.changeSubscription({ ...change, idempotencyKey: `${every} 2`, when: "period_end" });
    await provider.readSubscription(subscription);
    for (const when of ["period_end", "resume", "now"] as const)
      await provider.cancelSubscription({ idempotencyKey: `${every} ${when}`, ref: subscription, when });
  }
  for (const event of world.news()) await world.read(event);
}

/** Stripe's response to the same request. The newest stripe-mock has an older version of the API, whose anchor is a text. */
async function judge({
  method,
  path,
  body,
  version,
}: StripeRequest): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${mock.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${SECRET_KEY}`,
      "content-type": "application/x-www-form-urlencoded",
      "stripe-version": version ?? "",
    },
    ...(method === "POST" && { body: body.replace(/(billing_cycle_anchor)(?:\[type\]|%5Btype%5D)=/, "$1=") }),
  });
  return { status: answer.status, text: await answer.text() };
}

describe.skipIf(!canRunStripeMock)("stripe-mock (left out where there is no Go to build it)", () => {
  beforeAll(async () => {
    [database, mock] = await Promise.all([createTestDatabase(), startStripeMock()]);
  }, BUILD_BOUND_MS);
  afterAll(async () => {
    await mock.close();
    await database.drop();
  });

  test("accepts every request of the adapter", async () => {
    const asked = new Set<string>();
    for (const tax of [false, true]) {
      const world = await createStripeFixture(database.mongo, { tax });
      await askForAll(world);
      for (const request of world.double.requests) {
        const { status, text } = await judge(request);
        expect({ request, status, text: status === 200 ? "" : text }).toMatchObject({ status: 200 });
        asked.add(
          `${request.method} ${new URL(request.path, mock.baseUrl).pathname.replace(/\/\w*_\w*\d\w*/g, "/:id")}`,
        );
      }
      await world.close();
    }
    expect([...asked].toSorted()).toMatchInlineSnapshot(`
      [
        "DELETE /v1/subscriptions/:id",
        "GET /v1/checkout/sessions/:id",
        "GET /v1/invoices/:id",
        "GET /v1/subscription_schedules/:id",
        "GET /v1/subscriptions/:id",
        "POST /v1/billing_portal/sessions",
        "POST /v1/checkout/sessions",
        "POST /v1/checkout/sessions/:id/expire",
        "POST /v1/customers",
        "POST /v1/products",
        "POST /v1/refunds",
        "POST /v1/subscription_schedules",
        "POST /v1/subscription_schedules/:id",
        "POST /v1/subscription_schedules/:id/release",
        "POST /v1/subscriptions/:id",
      ]
    `);
  });

  test("refuses parameters that Stripe does not know", async () => {
    const request = { method: "POST", path: "/v1/checkout/sessions", key: undefined, version: undefined };
    expect(await judge({ ...request, body: "mode=payment&weather=fine" })).toMatchObject({ status: 400 });
  });
});
