// npm run upgrade-test [-- REF]: upgrades a cluster of the release before (or REF) under load to this one as docs/operations/upgrades.md
// describes: migrate while its processes run, then replace them in sequence. Exits with 1 if a single call failed, or the audit has
// findings afterwards.
import { openCluster } from "./testbed/cluster.ts";
import { runCommand } from "./testbed/command.ts";
import { createCustomers } from "./testbed/customers.ts";
import type { Fault } from "./testbed/faults.ts";
import type { Plan } from "./testbed/plan.ts";
import { checkOut, loadCode, previousRelease } from "./testbed/release.ts";
import { restart } from "./testbed/restart.ts";
import { CUSTOMERS, runTrials, TRIAL_SETTINGS } from "./testbed/trial.ts";
import { withApp } from "./testbed/with-app.ts";

/** In the order of the page. */
const ORDER = ["core", "worker", "gateway", "mcp"];

const [ref = previousRelease()] = process.argv.slice(2);
await runCommand("upgrade-test", async (atEnd) => {
  const root = checkOut(ref, (line) => console.error(line));
  const cluster = await openCluster(atEnd, { settings: TRIAL_SETTINGS, root });
  // Created by that release's own code, as its operators have.
  const code = await loadCode(root);
  const customers = await withApp(
    cluster,
    async ({ app }) => {
      await code.seedDevelopment(app, undefined);
      return createCustomers(app, cluster.url, CUSTOMERS, code);
    },
    code,
  );
  const upgrade = upgradeTo(cluster.planAgain());
  return (await runTrials(cluster, [upgrade], { pace: "mixed", customers })) ? 0 : 1;
});

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
        member.part = part;
        await restart(running, member, report);
      }
    },
  };
}
