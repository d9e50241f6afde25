// Restarts a cluster's processes so that its clients always reach one.
import { setTimeout as delay } from "node:timers/promises";
import type { Cluster, Member } from "./cluster.ts";

export type Say = (line: string) => void;

/**
 * Two checks of the balancer with their duration: until then it may consider a ready process away, and the next restart would remove the
 * last one.
 */
const SEEN_BY_BALANCER_MS = 5_000;

/** Sends SIGTERM and waits for the end; then until it is ready again and known to its clients. */
export async function restart(cluster: Cluster, member: Member, say: Say): Promise<void> {
  const beganMs = performance.now();
  await cluster.stop(member);
  await cluster.start(member);
  await delay(SEEN_BY_BALANCER_MS);
  say(`${member.part.name} restarted in ${((performance.now() - beganMs) / 1000).toFixed(1)} s`);
}

/** The first of each service in parallel, then the second of each: one of each service always runs. */
export async function restartInTurn(cluster: Cluster, services: readonly string[], say: Say): Promise<void> {
  const columns = services.map((service) => cluster.of(service));
  for (let n = 0; columns.some((members) => n < members.length); n++)
    await Promise.all(
      columns.flatMap((members) => members.slice(n, n + 1)).map((member) => restart(cluster, member, say)),
    );
}

/** In sequence, as in an upgrade. */
export async function restartEverything(cluster: Cluster, say: Say): Promise<void> {
  for (const service of ["gateway", "mcp", "core", "worker", "redis"])
    for (const member of cluster.of(service)) await restart(cluster, member, say);
  await restartMongods(cluster, say);
}

/** The primary last, after it has stepped down. */
export async function restartMongods(cluster: Cluster, say: Say): Promise<void> {
  const primary = await primaryOf(cluster);
  for (const member of [...cluster.of("mongo").filter((one) => one !== primary), primary]) {
    if (member === primary) {
      await cluster.set.stepDown();
      say(`${member.part.name} stepped down`);
    }
    await restart(cluster, member, say);
    await cluster.set.back(portOf(member));
  }
}

export async function primaryOf(cluster: Cluster): Promise<Member> {
  const port = await cluster.set.primary();
  const member = cluster.of("mongo").find((one) => portOf(one) === port);
  if (!member) throw new Error("the primary is none of the members");
  return member;
}

function portOf({ part }: Member): number {
  return Number(part.address.split(":").at(-1));
}
