// The daily pass over all accounts: whose it is, and how far it has come.
import type { App } from "../app.ts";
import { leasePass, savePass } from "./store.ts";

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
  /** Somebody else may go on at once. */
  leave(): Promise<void>;
};

/** Undefined where none is due, or another worker has it. */
export async function takePass(app: App): Promise<Pass | undefined> {
  const { db } = app.mongo;
  const begun = app.clock.now();
  const owner = app.newId("pas");
  const lease = () => ({ owner, until: new Date(app.clock.now().getTime() + LEASE_MS) });
  const taken = await leasePass(db, { ...lease(), now: begun });
  if (!taken) return undefined;
  const pass: Pass = {
    begun,
    after: taken.after,
    beat: async () => {
      if (!(await savePass(db, owner, { after: pass.after, lease: lease() }))) throw new PassLost();
    },
    end: async () => {
      pass.after = "";
      await savePass(db, owner, { next_at: new Date(begun.getTime() + PASS_EVERY_MS) });
    },
    leave: async () => {
      await savePass(db, owner, { after: pass.after, lease: null });
    },
  };
  return pass;
}
