// Random workflows at a queue provider, while workers and core are killed with -9 and some workflows are cancelled: every credit is
// accounted for, no step is repeated, and the audit is clean.
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { expect, inject, test } from "vitest";
import type { Caller } from "../../proto/caller.ts";
import { type CoreClient, createCoreClient } from "../../proto/client.ts";
import { fromMessage } from "../../proto/codec.ts";
import { AppError } from "../../proto/codes.ts";
import { toRunWorkflowRequest, workflowSchema } from "../../proto/resources/workflow.ts";
import { CLAIMS } from "../../runtime/config/service-names.ts";
import { loadServiceKey, signServiceToken } from "../../runtime/keys/service-token.ts";
import {
  type DrawnWorkflow,
  drawnWorkflow,
  TAKES_PICTURES,
  toRequest,
  whatIsWrong,
} from "../core/studio/workflows/graphs.ts";
import { addTestModel, createCustomer } from "../support/app.ts";
import { documentedEntry, documentedEnv } from "../support/queues/documented.ts";
import { startFalQueue } from "../support/queues/fal.ts";
import type { QueueState } from "../support/queues/queue.ts";
import { startQueueService } from "../support/queues/service.ts";
import { type RoleProcess, startRole } from "../support/roles.ts";
import { waitFor } from "../support/wait-for.ts";

const WORKERS = 2;
const ACCOUNTS = 20;
/** Accepted and waited for in parallel. */
const AT_ONCE = 40;
/** Each killed process is restarted, and lives about this long. */
const LIVES_MS = 4_000;

test.skipIf(inject("killedWorkflows") === 0)(
  `workers and core killed under ${inject("killedWorkflows")} random workflows repeat no step, and every credit is accounted for`,
  { timeout: 1_800_000 },
  async () => {
    const fal = await startFalQueue({
      endsAfterMs: () => 50 + Math.random() * 300,
      endsAs: ({ body }): QueueState => (String(body["prompt"]).startsWith("bad") ? "failed" : "made"),
      webhookTries: () => 5,
    });
    const doubles = { fal: fal.origin };
    const service = await startQueueService(
      { fal: documentedEntry("fal", doubles) },
      { worker: false, runTimeoutMs: 120_000 },
    );
    const { app } = service;
    await addTestModel(app, {
      model_slug: "collage",
      credits: 10,
      params_schema: TAKES_PICTURES,
      provider: "fal",
      provider_model: "owner/name",
      run_timeout_ms: 120_000,
    });
    const env = {
      ...documentedEnv(doubles),
      ATELIER_PROVIDER_WEBHOOK_URL: service.url,
      ATELIER_LEASE_MS: "1500",
      ATELIER_LOG_LEVEL: "error",
    };
    const start = (role: "core" | "worker") => startRole(service, role, env);
    const callers: Caller[] = [];
    while (callers.length < ACCOUNTS)
      callers.push((await createCustomer(app, { plan: "studio", credits: 100_000 })).caller);

    const processes: { role: "core" | "worker"; process: RoleProcess }[] = [];
    for (const role of ["core", ...Array.from({ length: WORKERS }, () => "worker" as const)] as const)
      processes.push({ role, process: await start(role) });
    let client = clientOf(service.config, processes);
    let isStriking = true;
    const killed = { core: 0, worker: 0 };
    const striking = (async () => {
      while (isStriking) {
        await sleep((Math.random() * LIVES_MS) / processes.length);
        const one = processes[Math.floor(Math.random() * processes.length)];
        if (!one || !isStriking) continue;
        await one.process.signal("SIGKILL");
        killed[one.role] += 1;
        one.process = await start(one.role);
        if (one.role === "core") {
          client.close();
          client = clientOf(service.config, processes);
        }
      }
    })();

    /** Repeats while core is away. */
    async function ask<T>(call: (core: CoreClient) => Promise<T>): Promise<T> {
      for (let tries = 0; ; tries++)
        try {
          return await call(client);
        } catch (error) {
          const isAnswer = error instanceof AppError && !AWAY.has(error.code);
          if (isAnswer || tries > 600) throw error;
          await sleep(100);
        }
    }

    async function live(drawn: DrawnWorkflow, n: number): Promise<string[]> {
      const name = `w${n}`;
      const caller = callers[n % callers.length] as Caller;
      const request = toRunWorkflowRequest(toRequest(drawn, name, "collage"), `key-${n}`);
      const options = { caller, deadlineMs: 8_000 };
      const { workflow_id } = await ask((core) => core.workflows.RunWorkflow(request, options));
      if (drawn.cancelledAfterMs !== null) {
        await sleep(drawn.cancelledAfterMs);
        await ask((core) => core.workflows.CancelWorkflow({ workflow_id }, options)).catch(
          (error: unknown) => {
            if (!(error instanceof AppError && error.code === "workflow_not_cancellable")) throw error;
          },
        );
      }
      const workflow = await waitFor(
        `${name} to end`,
        async () => {
          const now = await ask((core) =>
            core.workflows.GetWorkflow({ workflow_id, wait_seconds: 5 }, options),
          );
          return (
            now.ended_at !== undefined &&
            now.ended_at !== null &&
            now.ended_at !== "" &&
            fromMessage(workflowSchema, now)
          );
        },
        600_000,
      );
      return whatIsWrong(drawn, name, workflow, (prompt) => fal.requestsOf(prompt).length);
    }

    const all = fc.sample(drawnWorkflow({ most: 6, withinMs: 1_500 }), inject("killedWorkflows"));
    const startedAt = performance.now();
    const wrong: string[] = [];
    let next = 0;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let n = next++; n < all.length; n = next++)
          wrong.push(...(await live(all[n] as DrawnWorkflow, n)));
      }),
    );
    isStriking = false;
    await striking;
    client.close();
    console.log(
      `${killed.worker} workers and ${killed.core} cores killed under ${all.length} workflows of ${all.reduce((sum, { steps }) => sum + steps.length, 0)} steps ` +
        `in ${((performance.now() - startedAt) / 1000).toFixed(0)} s: ${fal.requests.length} calls`,
    );
    expect(wrong).toEqual([]);
    expect(killed.worker).toBeGreaterThan(0);
    expect(killed.core).toBeGreaterThan(0);
    expect(await service.audit()).toEqual([]);
    const held = await app.mongo.db
      .collection("accounts")
      .find({ $or: [{ held: { $ne: 0 } }, { waiting: { $ne: 0 } }, { running: { $ne: 0 } }] })
      .toArray();
    expect(held).toEqual([]);
    expect(await app.mongo.db.collection("workflows").countDocuments()).toBe(inject("killedWorkflows"));
    for (const { process } of processes) await process.signal("SIGKILL");
    await service.close();
    await fal.close();
  },
);

const AWAY = new Set(["service_unavailable", "deadline_exceeded", "internal"]);

function clientOf(
  config: Parameters<typeof loadServiceKey>[0],
  processes: readonly { role: string; process: RoleProcess }[],
): CoreClient {
  const pem = loadServiceKey(config, "cli");
  return createCoreClient({
    address: processes.find(({ role }) => role === "core")?.process.address ?? "",
    serviceToken: () => signServiceToken(pem, "test", CLAIMS, 60),
  });
}
