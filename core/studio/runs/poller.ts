// Polls providers: takes the suspended jobs that are due, a limited number at a time, and continues with each.
import type { App } from "../../kernel/app.ts";
import { findNextSuspended, takeSuspended } from "../jobs/store-calls.ts";
import type { SuspendedDoc } from "../jobs/store.ts";
import { POLL_EVERY_MS } from "./call-rules.ts";
import { ASK_TIMEOUT_MS, type PollInput, pollCall } from "./poll-call.ts";

/** The number of jobs that are polled, or whose files are fetched, at a time. */
const MAX_IN_PARALLEL = 64;
/** The most of them at one provider, so that a provider that hangs leaves capacity for the others. */
const MAX_OF_PROVIDER = 32;
/**
 * Rows that become due within this time are taken together: each step reads ahead, and with thousands of rows one is always about to be
 * due.
 */
const TOGETHER_MS = 100;
/** No other worker polls a job for this long: time for a request and the write after it. Two concurrent polls do no harm. */
const LOOK_LEASE_MS = ASK_TIMEOUT_MS + 5_000;

export type PollerOptions = Omit<PollInput, "app" | "row" | "job"> & {
  /** Called when there is capacity for more. */
  onFreeSlot: () => void;
};

export type Poller = {
  /** Takes due jobs as far as there is capacity. Returns how long to wait before the next step. */
  step(): Promise<number>;
  /** Waits until no poll is in flight. Files being fetched and calls being started belong to the runs. */
  ended(): Promise<void>;
};

export function createPoller(app: App, options: PollerOptions): Poller {
  const { onFreeSlot, ...looking } = options;
  const asking = new Set<Promise<void>>();
  /** How many are polled, or fetched, for each provider. */
  const taken = new Map<string, number>();
  const countOf = (provider: string) => taken.get(provider) ?? 0;
  /** The last step may have left due jobs for lack of capacity. */
  let isBehind = false;
  const count = () => [...taken.values()].reduce((sum, one) => sum + one, 0);

  function end(provider: string): void {
    taken.set(provider, countOf(provider) - 1);
    // Rows are taken in batches, not one by one.
    if (isBehind && (count() === MAX_IN_PARALLEL / 2 || count() === 0 || countOf(provider) === 0))
      onFreeSlot();
  }

  function launch(look: PollInput): void {
    const { provider } = look.row;
    taken.set(provider, countOf(provider) + 1);
    const ask = pollCall(look)
      .catch((error: unknown) => {
        // Nothing is lost: the row becomes due again automatically.
        app.log.warn({ err: error, job: look.job._id }, "a suspended job could not be polled");
        return undefined;
      })
      .then((collecting) => {
        asking.delete(ask);
        if (collecting) void collecting.done.finally(() => end(provider));
        else end(provider);
      });
    asking.add(ask);
  }

  /** As many of the due rows as there is capacity for. */
  function choose(due: readonly Pick<SuspendedDoc, "_id" | "provider">[]): string[] {
    const chosen = new Map<string, number>();
    return due.flatMap(({ _id, provider }) => {
      const own = chosen.get(provider) ?? 0;
      if (countOf(provider) + own >= MAX_OF_PROVIDER) return [];
      chosen.set(provider, own + 1);
      return [_id];
    });
  }

  return {
    step: async () => {
      const limit = MAX_IN_PARALLEL - count();
      // Until it is known, every end in the meantime triggers a step, so that no slot stays empty.
      isBehind = true;
      if (limit <= 0) return POLL_EVERY_MS;
      const now = app.clock.now();
      const without = [...taken.keys()].filter((provider) => countOf(provider) >= MAX_OF_PROVIDER);
      const next = await findNextSuspended(app.mongo.db, { without, limit });
      const due = next.filter(({ poll_at: pollAt }) => pollAt <= now);
      const until = new Date(now.getTime() + LOOK_LEASE_MS);
      const owner = app.newId("lok");
      const chosen = choose(due);
      isBehind = without.length > 0 || due.length === limit || chosen.length < due.length;
      const looks = await takeSuspended(app.mongo.db, chosen, { owner, now, until });
      for (const look of looks) launch({ ...looking, ...look, app });
      if (due.length === limit && looks.length > 0) return 0;
      const nextMs = (next[due.length]?.poll_at.getTime() ?? Infinity) - now.getTime();
      return Math.max(TOGETHER_MS, Math.min(POLL_EVERY_MS, nextMs));
    },
    ended: async () => {
      await Promise.all(asking);
    },
  };
}
