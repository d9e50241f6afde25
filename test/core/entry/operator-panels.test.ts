// The operator's page shows the database's state: providers, replica set, newest ledger entries, and what needs attention.
import { afterAll, beforeAll, expect, test } from "vitest";
import { ProviderError } from "../../../core/adapters/providers/provider.ts";
import { operatorPanels } from "../../../core/entry/operator-panels.ts";
import { grantCredits } from "../../../core/identity/credits/grant.ts";
import { ledger } from "../../../core/identity/credits/store.ts";
import { setLimits, setPaused } from "../../../core/studio/limits/settings.ts";
import { readPanels } from "../../../runtime/ops/panels.ts";
import { createCustomer } from "../../support/app.ts";
import { createFailingProvider } from "../../support/providers.ts";
import { startWholeService, type WholeService } from "../../support/whole-service.ts";

let service: WholeService;
let accountId: string;

beforeAll(async () => {
  const provider = createFailingProvider(new ProviderError("provider_refused", "Not this one."));
  service = await startWholeService({ provider });
  ({ accountId } = await createCustomer(service.app));
});
afterAll(() => service.close());

/** The current rows of a panel, without the page's cache. */
async function rowsOf(title: string) {
  const [panel] = await readPanels(operatorPanels(service.app).filter((each) => each.title === title));
  return panel?.contents?.rows;
}

test("the panel shows providers with their state, limits and waiting jobs", async () => {
  expect(await rowsOf("Providers")).toEqual([
    ["test", { text: "open for calls", tone: "good" }, "no limit", "no limit", "0"],
  ]);
  await setLimits(service.app, "test", { max_calls: 3 });
  await setPaused(service.app, "test", true);
  expect(await rowsOf("Providers")).toEqual([
    ["test", { text: "paused", tone: "bad" }, "0 of 3", "no limit", "0"],
  ]);
  await setPaused(service.app, "test", false);
});

test("the panel shows pauses with operator and reason, and what needs attention with its command", async () => {
  expect([await rowsOf("Paused"), await rowsOf("Needs attention")]).toEqual([[], []]);
  await service.core.admin.PauseQueue({ refuse: false });
  const ticket = { subject: "x", kind: "other", text: "x" };
  const call = { caller: { kind: "account", accountId, source: "app" } } as const;
  const { ticket_id } = await service.core.tickets.OpenTicket(ticket, call);
  expect(await rowsOf("Paused")).toEqual([
    [
      {
        text: "queue: no waiting job starts; new requests are accepted and wait",
        tone: "bad",
      },
      { at: expect.any(Date) },
      expect.any(String),
      expect.any(String),
    ],
  ]);
  expect(await rowsOf("Needs attention")).toEqual([
    ["1", "tickets wait for support", "npm run atelier -- ticket list"],
  ]);
  const scraped = await service.app.metrics.registry.metrics();
  expect(scraped).toContain('atelier_paused{kind="queue",name=""} 1');
  expect(scraped).toContain('atelier_stuck{what="tickets_open"} 1');
  await service.core.admin.ResumeQueue({});
  await service.core.tickets.CloseTicket({ ticket_id }, call);
});

test("the panel shows the replica set, its connections and version", async () => {
  const [primary] = (await rowsOf("Database")) ?? [];
  expect(primary).toEqual([
    expect.stringMatching(/:\d+$/),
    { text: "primary", tone: "good" },
    "–",
    expect.stringMatching(/^\d+ of \d+$/),
    expect.stringMatching(/^\d+\./),
  ]);
});

test("the panel shows failed jobs with their reason", async () => {
  const { job_id } = await service.core.jobs.Generate(
    { modality: "image", model_slug: "picture", prompt: "a tree", params_json: "{}" },
    { caller: { kind: "account", accountId, source: "app" } },
  );
  await service.core.jobs.GetJob(
    { job_id, wait_seconds: 20 },
    { caller: { kind: "account", accountId, source: "app" }, deadlineMs: 30_000 },
  );
  expect(await rowsOf("Failed jobs")).toEqual([
    [job_id, "picture", "provider_refused: Not this one.", { at: expect.any(Date) }],
  ]);
});

test("the panel shows the newest ledger entries, and marks one that was changed", async () => {
  const { app } = service;
  const grant = { amount: 5, kind: "grant", memo: null, source: "system" } as const;
  await grantCredits(app, { accountId, ...grant });
  const [[count, , chain] = []] = (await rowsOf("Ledger")) ?? [];
  expect(Number(count)).toBeGreaterThan(1);
  expect(chain).toEqual({ text: "holds", tone: "good" });
  const entry = await ledger(app.mongo.db).findOne({ account_id: accountId }, { sort: { seq: -1 } });
  await ledger(app.mongo.db).updateOne({ _id: entry?._id ?? "" }, { $inc: { amount: 1 } });
  const [[, , wrong] = []] = (await rowsOf("Ledger")) ?? [];
  expect(wrong).toEqual({ text: `wrong: ${entry?._id}`, tone: "bad" });
  await ledger(app.mongo.db).updateOne({ _id: entry?._id ?? "" }, { $inc: { amount: -1 } });
});

test("the panel shows open orders and tickets without their text", async () => {
  const { app } = service;
  expect([await rowsOf("Open orders"), await rowsOf("Open tickets")]).toEqual([[], []]);
  const call = { caller: { kind: "account", accountId, source: "app" } } as const;
  const placed = { idempotency_key: "one", expected_cents: 500, pack: { pack: "small" } };
  const { order_id } = await service.core.orders.PlaceOrder(placed, call);
  const asked = { subject: "my secret", kind: "other", text: "my secret" };
  const { ticket_id } = await service.core.tickets.OpenTicket(asked, call);
  expect(await rowsOf("Open orders")).toEqual([
    [order_id, "$5.00", { at: expect.any(Date) }, { at: expect.any(Date) }],
  ]);
  expect(await rowsOf("Open tickets")).toEqual([[ticket_id, "other", { at: expect.any(Date) }]]);
  // The worker may have begun the log by now, or not.
  expect(await rowsOf("Public log")).toBeInstanceOf(Array);
  expect(operatorPanels(app)).toHaveLength(11);
});
