// The faults, each as it begins and as it is mended. What is only frozen or silent says nothing and closes nothing.
import { setTimeout as sleep } from "node:timers/promises";
import { jobs } from "../../core/studio/jobs/store.ts";
import { waitFor } from "../../test/support/wait-for.ts";
import type { SuiteProcess } from "./processes.ts";
import { CORE_NAME, type Stage } from "./stage.ts";

export type Fault = {
  readonly name: string;
  /** Until it is mended; what recovers by itself does so before. "accepted": until something that was sent after it was accepted. */
  readonly lastsMs: number | "accepted";
  /** Requests come at half of the rate that the service bears, whether earlier ones were answered or not. */
  readonly isOffered?: true;
  /** Answers what mends it. */
  readonly strike: (stage: Stage) => Promise<() => Promise<void> | void>;
};

const LINKS_LAST_MS = 20_000;
const HOLE_MS = 8_000;
const LATENCY_MS = 5_000;
/** A job takes its worker less than half of this. */
const HELD_AFTER_MS = 1_000;
const CAUGHT_BOUND_MS = 60_000;

function first<T>(all: readonly T[]): T {
  const [one] = all;
  if (one === undefined) throw new Error("there is one");
  return one;
}

export const FAULTS: readonly Fault[] = [
  {
    name: "primary killed (-9)",
    lastsMs: 15_000,
    strike: async ({ set }) => {
      const primary = await set.primary();
      await primary.process.signal("SIGKILL");
      return () => set.restart(primary);
    },
  },
  {
    name: "primary frozen (SIGSTOP, 40 s)",
    lastsMs: 40_000,
    strike: freezePrimary,
  },
  {
    name: "primary frozen (SIGSTOP, 40 s), half of capacity offered",
    lastsMs: 40_000,
    isOffered: true,
    strike: freezePrimary,
  },
  {
    name: "primary frozen (SIGSTOP), killed after 8 s (-9)",
    lastsMs: 8_000,
    strike: async ({ set }) => {
      const primary = await set.primary();
      await primary.process.signal("SIGSTOP");
      return async () => {
        await primary.process.signal("SIGKILL");
        set.restart(primary);
      };
    },
  },
  {
    name: "one of two cores killed (-9)",
    lastsMs: 10_000,
    strike: async (stage) => {
      const core = first(stage.cores);
      await core.process.signal("SIGKILL");
      return () => stage.restartCore(core);
    },
  },
  {
    name: "one of two cores frozen (SIGSTOP, 25 s)",
    lastsMs: 25_000,
    strike: async ({ cores }) => {
      const core = first(cores);
      await core.process.signal("SIGSTOP");
      return () => core.process.signal("SIGCONT");
    },
  },
  {
    name: "gateway → core half-open, 20 s: open connections go silent, new ones work",
    lastsMs: LINKS_LAST_MS,
    strike: async ({ cores }) => {
      for (const { link } of cores) link.halfOpen();
      return () => {
        for (const { link } of cores) link.mend();
      };
    },
  },
  {
    name: "gateway → core black hole, 8 s",
    lastsMs: HOLE_MS,
    strike: async ({ cores }) => {
      for (const { link } of cores) link.blackHole();
      return () => {
        for (const { link } of cores) link.mend();
      };
    },
  },
  {
    name: "gateway → one of two cores black hole, 20 s",
    lastsMs: LINKS_LAST_MS,
    strike: async ({ cores }) => {
      const { link } = first(cores);
      link.blackHole();
      return () => link.mend();
    },
  },
  {
    name: "gateway → core 5 s slower each way, 20 s",
    lastsMs: LINKS_LAST_MS,
    strike: async ({ cores }) => {
      for (const { link } of cores) link.delay(LATENCY_MS);
      return () => {
        for (const { link } of cores) link.mend();
      };
    },
  },
  {
    name: "core → mongod half-open, 20 s: open connections go silent, new ones work",
    lastsMs: LINKS_LAST_MS,
    strike: async ({ set }) => {
      for (const { link } of set.members) link.halfOpen(CORE_NAME);
      return () => {
        for (const { link } of set.members) link.mend();
      };
    },
  },
  {
    name: "core → mongod black hole, 8 s",
    lastsMs: HOLE_MS,
    strike: async ({ set }) => {
      for (const { link } of set.members) link.blackHole(CORE_NAME);
      return () => {
        for (const { link } of set.members) link.mend();
      };
    },
  },
  {
    name: "core → mongod 5 s slower each way, 20 s",
    lastsMs: LINKS_LAST_MS,
    strike: async ({ set }) => {
      for (const { link } of set.members) link.delay(LATENCY_MS, CORE_NAME);
      return () => {
        for (const { link } of set.members) link.mend();
      };
    },
  },
  {
    name: "one of two workers killed (-9), with jobs",
    lastsMs: 20_000,
    strike: async (stage) => {
      const worker = await freezeAtWork(stage);
      await worker.signal("SIGKILL");
      return () => stage.restartWorker(worker);
    },
  },
  {
    name: "one of two workers frozen (SIGSTOP, 25 s), with jobs, and woken",
    lastsMs: 25_000,
    strike: async (stage) => {
      const worker = await freezeAtWork(stage);
      return () => worker.signal("SIGCONT");
    },
  },
];

async function freezePrimary({ set }: Stage): Promise<() => Promise<void>> {
  const primary = await set.primary();
  await primary.process.signal("SIGSTOP");
  return () => primary.process.signal("SIGCONT");
}

/** Freezes one worker or the other until it is caught with jobs: what others run ends while it stands still. */
async function freezeAtWork({ app, workers }: Stage): Promise<SuiteProcess> {
  let turn = 0;
  return waitFor(
    "a worker that is frozen with jobs",
    async () => {
      const worker = workers[turn++ % workers.length];
      await worker?.signal("SIGSTOP");
      await sleep(HELD_AFTER_MS + 500);
      const since = { $lte: new Date(Date.now() - HELD_AFTER_MS) };
      if ((await jobs(app.mongo.db).countDocuments({ state: "running", started_at: since })) > 0)
        return worker;
      await worker?.signal("SIGCONT");
      return undefined;
    },
    CAUGHT_BOUND_MS,
  );
}
