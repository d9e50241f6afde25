// The faults: how each starts and ends. A frozen or silent part reports nothing and closes nothing.
import { setTimeout as sleep } from "node:timers/promises";
import { jobs } from "../../core/studio/jobs/store.ts";
import type { TcpProxy } from "../../test/support/tcp-proxy.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import { type Cluster, CORE_NAME, type Member } from "./cluster.ts";
import type { Customer } from "./customers.ts";
import type { ServiceProcess } from "./processes.ts";
import { primaryOf, restartEverything, type Say } from "./restart.ts";
import { withApp } from "./with-app.ts";

export type Fault = {
  readonly name: string;
  /** No call may fail. */
  readonly isFlawless?: true;
  /** The service that it needs: links in every connection, or a load balancer with two of each role; either if absent. */
  readonly needs?: "links" | "balancer";
  /** The duration; parts that recover automatically do so before. "accepted": until a request that was sent after it is accepted. */
  readonly lastsMs?: number | "accepted";
  /** Requests arrive at half of the measured rate, whether earlier ones were answered or not. */
  readonly isOffered?: true;
  /** Returns the function that ends it. The cluster restarts a killed process. */
  readonly strike: (
    cluster: Cluster,
    say: Say,
    customers: readonly Customer[],
  ) => Promise<void | (() => Promise<void> | void)>;
};

const KILL_LASTS_MS = 15_000;
const FREEZE_LASTS_MS = 25_000;
const LINKS_LAST_MS = 20_000;
const HOLE_MS = 8_000;
const LATENCY_MS = 5_000;
/** A job occupies its worker for less than half of this. */
const HELD_AFTER_MS = 1_000;
const CAUGHT_BOUND_MS = 60_000;

export const FAULTS: readonly Fault[] = [
  {
    name: "rolling restart of everything",
    isFlawless: true,
    needs: "balancer",
    strike: restartEverything,
  },
  kill("primary", primaryOf),
  freeze("primary", primaryOf, 40_000),
  { ...freeze("primary", primaryOf, 40_000, ", half of capacity offered"), needs: "links", isOffered: true },
  {
    name: "primary frozen (SIGSTOP), killed after 8 s (-9)",
    needs: "links",
    lastsMs: 8_000,
    strike: async (cluster) => {
      const { process } = await primaryOf(cluster);
      await process.signal("SIGSTOP");
      return () => process.signal("SIGKILL");
    },
  },
  kill("one of two cores", firstOf("core")),
  freeze("one of two cores", firstOf("core")),
  onLinks("gateway → core half-open, 20 s: open connections go silent, new ones work", {
    links: ({ cores }) => cores,
    strike: (link) => link.halfOpen(),
  }),
  onLinks("gateway → core black hole, 8 s", {
    lastsMs: HOLE_MS,
    links: ({ cores }) => cores,
    strike: (link) => link.blackHole(),
  }),
  onLinks("gateway → one of two cores black hole, 20 s", {
    links: ({ cores }) => cores.slice(0, 1),
    strike: (link) => link.blackHole(),
  }),
  onLinks("gateway → core 5 s slower each way, 20 s", {
    links: ({ cores }) => cores,
    strike: (link) => link.delay(LATENCY_MS),
  }),
  onLinks("core → mongod half-open, 20 s: open connections go silent, new ones work", {
    links: ({ mongods }) => mongods,
    strike: (link) => link.halfOpen(CORE_NAME),
  }),
  onLinks("core → mongod black hole, 8 s", {
    lastsMs: HOLE_MS,
    links: ({ mongods }) => mongods,
    strike: (link) => link.blackHole(CORE_NAME),
  }),
  onLinks("core → mongod 5 s slower each way, 20 s", {
    links: ({ mongods }) => mongods,
    strike: (link) => link.delay(LATENCY_MS, CORE_NAME),
  }),
  {
    name: "one of two workers killed (-9), with jobs",
    needs: "links",
    lastsMs: LINKS_LAST_MS,
    strike: async (cluster) => (await freezeAtWork(cluster)).signal("SIGKILL"),
  },
  {
    name: "one of two workers frozen (SIGSTOP, 25 s), with jobs, and woken",
    needs: "links",
    lastsMs: FREEZE_LASTS_MS,
    strike: async (cluster) => {
      const worker = await freezeAtWork(cluster);
      return () => worker.signal("SIGCONT");
    },
  },
  { ...freeze("one of two workers", firstOf("worker")), needs: "balancer" },
  { ...kill("one of two gateways", firstOf("gateway")), needs: "balancer" },
  { ...freeze("one of two gateways", firstOf("gateway")), needs: "balancer" },
];

type Find = (cluster: Cluster) => Promise<Member>;

function firstOf(service: string): Find {
  return async (cluster) => {
    const [member] = cluster.of(service);
    if (!member) throw new Error(`no ${service} runs`);
    return member;
  };
}

function kill(what: string, find: Find): Fault {
  return {
    name: `${what} killed (-9)`,
    lastsMs: KILL_LASTS_MS,
    strike: async (cluster) => (await find(cluster)).process.signal("SIGKILL"),
  };
}

function freeze(what: string, find: Find, lastsMs = FREEZE_LASTS_MS, more = ""): Fault {
  return {
    name: `${what} frozen (SIGSTOP, ${lastsMs / 1_000} s)${more}`,
    lastsMs,
    strike: async (cluster) => {
      const { process } = await find(cluster);
      await process.signal("SIGSTOP");
      return () => process.signal("SIGCONT");
    },
  };
}

function onLinks(
  name: string,
  {
    links,
    strike,
    lastsMs = LINKS_LAST_MS,
  }: {
    links: (all: Cluster["links"]) => readonly TcpProxy[];
    strike: (link: TcpProxy) => void;
    lastsMs?: number;
  },
): Fault {
  return {
    name,
    needs: "links",
    lastsMs,
    strike: async (cluster) => {
      for (const link of links(cluster.links)) strike(link);
      return async () => {
        for (const link of links(cluster.links)) await link.restore();
      };
    },
  };
}

/** Freezes one worker or the other until it has jobs. */
async function freezeAtWork(cluster: Cluster): Promise<ServiceProcess> {
  const workers = cluster.of("worker").map(({ process }) => process);
  let turn = 0;
  return withApp(cluster, ({ app }) =>
    waitFor(
      "a worker that is frozen with jobs",
      async () => {
        const worker = workers[turn++ % workers.length];
        await worker?.signal("SIGSTOP");
        await sleep(HELD_AFTER_MS + 500);
        const since = { $lte: new Date(Date.now() - HELD_AFTER_MS) };
        const held = await jobs(app.mongo.db).countDocuments({ state: "running", started_at: since });
        if (held > 0) return worker;
        await worker?.signal("SIGCONT");
        return undefined;
      },
      CAUGHT_BOUND_MS,
    ),
  );
}
