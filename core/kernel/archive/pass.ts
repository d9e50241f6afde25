// The daily pass over all accounts: which worker has it, and how far it is.
import { again, extend, release, take } from "../../base/work/queue.ts";
import type { App } from "../app.ts";
import { insertPass, passes } from "./store.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** The time from the start of one pass to the start of the next. */
const PASS_EVERY_MS = DAY_MS;
/** A worker that has written nothing for this long has lost the pass to another one. */
const LEASE_MS = 2 * 60 * 1000;

/** Another worker has taken over the pass. */
export class PassLost extends Error {
  override readonly name = "PassLost";
}

export type Pass = {
  readonly begun: Date;
  /** The last account that was processed; empty at the beginning. */
  after: string;
  /** Keeps the pass and saves its position. Throws PassLost. */
  beat(): Promise<void>;
  /** All accounts were processed. */
  end(): Promise<void>;
  /** Releases the pass, so that another worker may continue immediately. Does nothing after the end. */
  leave(): Promise<void>;
};

/** Returns undefined if no pass is due, or another worker has it. */
export async function takePass(app: App): Promise<Pass | undefined> {
  const queue = passes(app.mongo.db);
  const begun = app.clock.now();
  await insertPass(app.mongo.db, begun);
  const [taken] = await take(queue, { now: begun, leaseMs: LEASE_MS, limit: 1 });
  if (!taken) return undefined;
  const pass: Pass = {
    begun,
    after: taken.after,
    beat: async () => {
      const until = new Date(app.clock.now().getTime() + LEASE_MS);
      if (!(await extend(queue, taken, until, { $set: { after: pass.after } }))) throw new PassLost();
    },
    end: async () => {
      await again(queue, taken, new Date(begun.getTime() + PASS_EVERY_MS), { $set: { after: "" } });
    },
    leave: async () => {
      await release(queue, taken, app.clock.now(), { $set: { after: pass.after } });
    },
  };
  return pass;
}
