// What is done to a cluster under load: a rolling restart of everything, parts killed and parts frozen.
import { setTimeout as sleep } from "node:timers/promises";
import type { Customer } from "./clients.ts";
import type { Cluster, Member } from "./cluster.ts";
import { primaryOf, restart, restartMongods, type Say } from "./restart.ts";

export type Trial = {
  readonly name: string;
  /** Not one call may fail. */
  readonly isFlawless?: true;
  /** Resolves when all is as before. */
  run(cluster: Cluster, say: Say, customers: readonly Customer[]): Promise<void>;
};

const FROZEN_MS = 25_000;
const AFTER_KILL_MS = 20_000;

export const TRIALS: readonly Trial[] = [
  { name: "rolling restart of everything", isFlawless: true, run: restartEverything },
  { name: "primary killed (-9)", run: (cluster) => kill(cluster, primaryOf(cluster)) },
  { name: "primary frozen (SIGSTOP, 25 s)", run: (cluster) => freeze(cluster, primaryOf(cluster)) },
  { name: "one of two cores killed (-9)", run: (cluster) => kill(cluster, firstOf(cluster, "core")) },
  {
    name: "one of two cores frozen (SIGSTOP, 25 s)",
    run: (cluster) => freeze(cluster, firstOf(cluster, "core")),
  },
  {
    name: "one of two workers frozen (SIGSTOP, 25 s)",
    run: (cluster) => freeze(cluster, firstOf(cluster, "worker")),
  },
  { name: "one of two gateways killed (-9)", run: (cluster) => kill(cluster, firstOf(cluster, "gateway")) },
  {
    name: "one of two gateways frozen (SIGSTOP, 25 s)",
    run: (cluster) => freeze(cluster, firstOf(cluster, "gateway")),
  },
];

/** One after the other, as an upgrade does it; the primary hands over before it goes. */
async function restartEverything(cluster: Cluster, say: Say): Promise<void> {
  for (const service of ["gateway", "mcp", "core", "worker", "redis"])
    for (const member of cluster.of(service)) await restart(cluster, member, say);
  await restartMongods(cluster, say);
}

/** What it ran under starts it again by itself. */
async function kill(_cluster: Cluster, struck: Promise<Member>): Promise<void> {
  await (await struck).process.signal("SIGKILL");
  await sleep(AFTER_KILL_MS);
}

async function freeze(_cluster: Cluster, struck: Promise<Member>): Promise<void> {
  const { process } = await struck;
  await process.signal("SIGSTOP");
  await sleep(FROZEN_MS);
  await process.signal("SIGCONT");
}

async function firstOf(cluster: Cluster, service: string): Promise<Member> {
  const [member] = cluster.of(service);
  if (!member) throw new Error(`no ${service} runs`);
  return member;
}
