// The daily pass over all accounts: whose it is, and how far it has come.
import type { App } from "../app.ts";
import { again, extend, release, take } from "../../base/work/queue.ts";
import { insertPass, passes } from "./store.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Between the beginnings of two passes. */
const PASS_EVERY_MS = DAY_MS;
/** A worker that has written nothing for so long has lost the pass to another one. */
const LEASE_MS = 2 * 60 * 1000;

/** Another worker has the pass by now. */
export class PassLost extends Error {
  override readonly name = "PassLost";
}

export type Pass = {
  readonly begun: Date;
  /** The account that was gone through last; empty at the beginning. */
  after: string;
  /** Keeps the pass, and where it is. Throws PassLost. */
  beat(): Promise<void>;
  /** All accounts were gone through. */
  end(): Promise<void>;
  /** Another worker may go on immediately. Does nothing after the end. */
  leave(): Promise<void>;
};

/** Undefined where none is due, or another worker has it. */
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
