// npm run upgrade-test [-- REF]: upgrades a cluster of the release before (or REF) under load to this one as docs/operations/upgrades.md
// describes: migrate while its processes run, then replace them in sequence. Exits with 1 if a single call failed, or the audit has
// findings afterwards.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CACHE_DIR } from "../runtime/mongod/binary-cache.ts";
import { keepNewFilesPrivate } from "../runtime/process/private-folder.ts";
import { type Cluster, type ClusterOptions, planAgain, startCluster } from "./testbed/cluster.ts";
import { createCustomers } from "./testbed/customers.ts";
import type { Fault } from "./testbed/faults.ts";
import type { Plan } from "./testbed/plan.ts";
import { findPrograms } from "./testbed/programs.ts";
import { checkOut, loadCode, previousRelease } from "./testbed/release.ts";
import { CUSTOMERS, runTrials, TRIAL_SETTINGS, trust } from "./testbed/trial.ts";
import { withApp } from "./testbed/with-app.ts";

/** In the order of the page. */
const ORDER = ["core", "worker", "gateway", "mcp"];

keepNewFilesPrivate();
const say = (line: string) => console.error(line);
const [ref = previousRelease()] = process.argv.slice(2);
mkdirSync(CACHE_DIR, { recursive: true });
const folder = mkdtempSync(join(CACHE_DIR, "upgrade-"));
const options: ClusterOptions = {
  programs: await findPrograms(say),
  folder,
  port: 0,
  say,
  settings: TRIAL_SETTINGS,
};
let cluster: Cluster | undefined;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void end(1));
try {
  const root = checkOut(ref, say);
  cluster = await startCluster({ ...options, root });
  trust(cluster);
  const { url } = cluster;
  // Created by that release's own code, as its operators have.
  const code = await loadCode(root);
  const customers = await withApp(
    cluster,
    async ({ app }) => {
      await code.seedDevelopment(app, undefined);
      return createCustomers(app, url, CUSTOMERS, code);
    },
    code,
  );
  const upgrade = upgradeTo(await planAgain(options));
  await end((await runTrials(cluster, [upgrade], { pace: "mixed", customers })) ? 0 : 1);
} catch (error) {
  say(`upgrade-test: ${(error as Error).message}`);
  await end(1);
}

/** `today` is the plan of this release, for the same place. */
function upgradeTo(today: Plan): Fault {
  return {
    name: "upgrade from the release before",
    isFlawless: true,
    strike: async (running, report) => {
      for (const job of today.jobs) report(await running.runJob(job));
      for (const member of ORDER.flatMap((service) => running.of(service))) {
        const part = today.parts.find(({ name }) => name === member.part.name);
        if (!part) throw new Error(`this release has no ${member.part.name}`);
        await running.stop(member);
        member.part = part;
        await running.start(member);
        report(`${part.name} is of this release`);
      }
    },
  };
}

async function end(code: number): Promise<never> {
  await cluster?.end();
  rmSync(folder, { recursive: true, force: true });
  process.exit(code);
}
