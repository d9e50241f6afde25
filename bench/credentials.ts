// The cost of signing: jobs with a small picture end to end, with signing on and off in turn in the same run.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Provider } from "../core/adapters/providers/provider.ts";
import { createContentCredentials } from "../core/kernel/content-credentials/credentials.ts";
import { createAcceptQueue } from "../core/studio/jobs/accept-queue.ts";
import type { JobsApp } from "../core/studio/jobs/local-dispatch.ts";
import { filesOfAllKinds } from "../test/core/kernel/content-credentials/fixtures.ts";
import { compareLoads, type Side } from "./support/stats.ts";
import { auditInWords, driveEndToEnd } from "./support/whole-lives.ts";
import { createCustomers, onBenchApp } from "./support/world.ts";

const ROUNDS = 3;
const LOAD = { callers: 64, forMs: 5_000 };
const ACCOUNTS = 1_000;

export async function run(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "atelier-bench-credentials-"));
  const files = (await filesOfAllKinds()).slice(0, 1);
  const drawn: Provider = { name: "instant", safeToRepeat: true, start: async () => files };
  const withSigning = (app: JobsApp, mode: "on" | "off"): JobsApp => {
    const config = { ...app.config, dataDir, contentCredentials: mode };
    const credentials = createContentCredentials(config, { log: app.log });
    return { ...app, config, credentials, providers: new Map([["instant", drawn]]) };
  };
  await onBenchApp("credentials", async (app) => {
    const callers = await createCustomers(app, ACCOUNTS);
    const apps = [withSigning(app, "on"), withSigning(app, "off")];
    const sides = apps.map((one): Side => [
      one.credentials.mode,
      () => driveEndToEnd(one, createAcceptQueue(one), callers, LOAD),
    ]);
    console.log(
      `Jobs that make one small PNG, end to end, ${LOAD.callers} callers; median of ${ROUNDS} rounds`,
    );
    await compareLoads(sides, ROUNDS, { of: "signing", unit: "jobs/s" });
    for (const { credentials } of apps) await credentials.close();
    console.log(await auditInWords(app));
  });
  rmSync(dataDir, { recursive: true, force: true });
}
