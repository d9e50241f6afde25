// The time that core's decisions go by: the database's. Leases, deadlines and sale windows are compared by many processes, whose own clocks
// may differ and jump; the database is the one thing that all of them see. Between samples the time moves on with this machine's monotonic
// clock, which no one sets.
import type { Clock } from "../../../runtime/clock.ts";
import { createService, type ServiceOptions } from "../../../runtime/service.ts";
import type { Mongo } from "./client.ts";
import { isDatabaseAway } from "./errors.ts";
import { withinMs } from "./within-ms.ts";

const SAMPLE_EVERY_MS = 2_000;
const SAMPLE_BOUND_MS = 2_000;
/** At the start, so that one slow answer does not make the first seconds vague. */
const FIRST_SAMPLES = 3;
/** By how much two clocks may run apart: what NTP lets a clock be slewed by. */
const MAX_DRIFT = 0.000_5;
/** The server tells whole milliseconds, cut off. */
const RESOLUTION_MS = 1;

export type DatabaseClock = Clock & {
  /** How far this machine's clock is ahead of the database's; below 0 when it is behind. */
  skewMs(): number;
  /** How far now() may be wrong: half of the shortest round trip to the database, plus what the clocks may have drifted since. */
  errorMs(): number;
  stop(): Promise<void>;
};

/** Bounds on what has to be added to the monotonic clock, as known at `atMs` of that clock. */
export type Offset = { readonly lowMs: number; readonly highMs: number; readonly atMs: number };

/** What one answer says: the server read `serverMs` at some moment between asking and hearing. */
export function offsetOf(serverMs: number, askedMs: number, heardMs: number): Offset {
  return { lowMs: serverMs - heardMs, highMs: serverMs + RESOLUTION_MS - askedMs, atMs: heardMs };
}

/** Combines both bounds. If they contradict each other, a clock was set or another server answers now, so only the newer one counts. */
export function combine(known: Offset | undefined, newer: Offset): Offset {
  if (!known) return newer;
  const drifted = drift(known, newer.atMs);
  const lowMs = Math.max(drifted.lowMs, newer.lowMs);
  const highMs = Math.min(drifted.highMs, newer.highMs);
  return lowMs <= highMs ? { lowMs, highMs, atMs: newer.atMs } : newer;
}

function drift({ lowMs, highMs, atMs }: Offset, nowMs: number): Offset {
  const byMs = (nowMs - atMs) * MAX_DRIFT;
  return { lowMs: lowMs - byMs, highMs: highMs + byMs, atMs: nowMs };
}

/** Asks the database before it resolves, and then every two seconds until it is stopped. Rejects when the database does not answer. */
export async function startDatabaseClock(
  mongo: Pick<Mongo, "client">,
  log: ServiceOptions["log"],
  sampleEveryMs = SAMPLE_EVERY_MS,
): Promise<DatabaseClock> {
  const admin = mongo.client.db("admin");
  async function sample(): Promise<Offset> {
    const askedMs = performance.now();
    const hello = await withinMs(SAMPLE_BOUND_MS, admin.command({ hello: 1 }));
    return offsetOf((hello["localTime"] as Date).getTime(), askedMs, performance.now());
  }

  let offset = await sample();
  for (let n = 1; n < FIRST_SAMPLES; n++) offset = combine(offset, await sample());

  // While the database is away its time goes on as it was known.
  const service = createService({ log, isOutage: isDatabaseAway });
  service.every(sampleEveryMs, "ask the database for its time", async () => {
    offset = combine(offset, await sample());
  });
  service.start();

  const nowMs = () => performance.now() + (offset.lowMs + offset.highMs) / 2;
  return {
    now: () => new Date(nowMs()),
    skewMs: () => Date.now() - nowMs(),
    errorMs: () => {
      const { lowMs, highMs } = drift(offset, performance.now());
      return (highMs - lowMs) / 2;
    },
    stop: () => service.stop(),
  };
}
