// The upgrade of docs/operations/upgrades.md as a trial: the data are migrated while the processes of the release before go on, then each process is
// replaced by one of this release, one after the other.
import type { Cluster } from "./cluster.ts";
import type { Plan } from "./plan.ts";
import type { Trial } from "./trials.ts";

/** In the order of the page. */
const ORDER = ["core", "worker", "gateway", "mcp"];

/** `today` is the plan of this release, for the same place. */
export function upgradeTo(today: Plan): Trial {
  return {
    name: "upgrade from the release before",
    isFlawless: true,
    run: async (cluster, say) => {
      for (const job of today.jobs) say(await cluster.runJob(job));
      for (const service of ORDER)
        for (const member of cluster.of(service)) {
          await replace(cluster, member, today);
          say(`${member.part.name} is of this release`);
        }
    },
  };
}

async function replace(cluster: Cluster, member: Cluster["members"][number], today: Plan): Promise<void> {
  const part = today.parts.find(({ name }) => name === member.part.name);
  if (!part) throw new Error(`this release has no ${member.part.name}`);
  await cluster.stop(member);
  member.part = part;
  await cluster.start(member);
}
