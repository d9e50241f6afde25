// Runs the walkthrough of docs/operations/console.md: every command, each token taken from its dry run.
import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import type { Provider } from "../../core/adapters/providers/provider.ts";
import { createAccount } from "../../core/identity/accounts/create-account.ts";
import { jobs } from "../../core/studio/jobs/store.ts";
import { claimJobs } from "../../core/studio/runs/claim.ts";
import { type RunOutcome, finalizeJobs } from "../../core/studio/runs/finalize.ts";
import type { DeliveryDoc } from "../../core/studio/webhooks/store.ts";
import { acceptMany, askFor } from "../support/accept.ts";
import { addTestModel } from "../support/app.ts";
import { createFakeClock } from "../support/clock.ts";
import { useTestCore } from "../support/core.ts";
import { giveCredits } from "../support/credits.ts";
import { createScriptedProvider } from "../support/providers.ts";
import { runCliHere } from "./run-cli.ts";

const page = readFileSync(new URL("../../docs/operations/console.md", import.meta.url), "utf8");
const walk = page.slice(page.indexOf("## A provider was down"));
const commands = [...walk.matchAll(/^npm run atelier -- (.+)$/gm)].map(([, line = ""]) =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ""),
);
const HOST = "https://hooks.example.com";
const clock = createFakeClock("2026-03-01T11:00:00.000Z");

const core = useTestCore({ clock });
beforeAll(async () => {
  const { app } = core;
  (app.providers as Map<string, Provider>).set("fal", createScriptedProvider());
  await addTestModel(app, { model_slug: "flux", credits: 4, provider: "fal" });
  const { _id: accountId } = await createAccount(app, { email: "ada@example.com", name: "Ada", plan: "pro" });
  await giveCredits(app, accountId, 100);
  const request = askFor(
    { kind: "account", accountId, source: "app" },
    { model_slug: "flux", callback_url: `${HOST}/atelier` },
  );
  const error = { code: "provider_unavailable", message: "It does not answer." };
  await endAll("2026-03-01T12:30:00.000Z", { kind: "failed", error });
  await endAll("2026-03-01T13:10:00.000Z", { kind: "completed", outputs: [] });
  clock.set("2026-03-01T14:00:00.000Z");
  await acceptMany(app, 1, request);
  await app.mongo.db
    .collection<DeliveryDoc>("deliveries")
    .updateMany({}, { $set: { status: "failed", next_attempt_at: null, attempt_count: 7 } });

  async function endAll(at: string, outcome: RunOutcome): Promise<void> {
    clock.set(at);
    await acceptMany(app, 2, request);
    const claims = await claimJobs(app, { worker: "w", limit: 9, leaseMs: 60_000 });
    await finalizeJobs(
      app,
      claims.map((claim) => ({ claim, outcome, files: [] })),
    );
  }
});

test("every command of the console walkthrough works, and each dry run finds its target", async () => {
  expect(commands.length).toBeGreaterThan(15);
  let token = "";
  const told: string[] = [];
  for (const args of commands) {
    const run = await runCliHere(core.env, ...args.map((arg) => (arg === "blk_…" ? token : arg)));
    expect([args, run.exitCode, run.stdout === ""]).toEqual([args, 0, false]);
    token = /^token +(blk_\w+)$/m.exec(run.stdout)?.[1] ?? token;
    told.push(run.stdout);
  }
  const said = told.join("\n");
  expect(said).toMatch(/^4 +webhooks were not delivered, and no one has dealt with them/m);
  expect(said).toMatch(/provider +fal +it is not called; .* incident 12 +provider resume fal/);
  expect(said).toContain("2 jobs retried, 8 credits");
  expect(said).toContain("2 jobs refunded, 8 credits");
  // The waiting job, and the two retried ones.
  expect(said).toContain("3 jobs cancelled, 12 credits");
  expect(said).toContain("4 deliveries sent once more");
  expect(said).toMatch(/RedeliverCallback +dlv_\w+ +to https:\/\/hooks\.example\.com/);
  expect(said).toMatch(/checked 1 account, \d+ ledger entries, 7 jobs: all is right/);
  expect(await jobs(core.app.mongo.db).countDocuments({ state: "reserved" })).toBe(0);
});
