// Tells core on every call whether the calling service's name is revoked, without a query on every call.
import type { App } from "../app.ts";
import { findRevokedNames } from "./store.ts";

/** How old the list of names may be when a call is checked: a revocation takes effect within this time at every core. */
const MAX_AGE_MS = 1_000;

export type RevokedNames = {
  /** Rejects if the list is too old and the database does not answer: then no one may be accepted. */
  isRevoked(name: string): Promise<boolean>;
};

export function createRevokedNames(app: App): RevokedNames {
  let known: ReadonlySet<string> = new Set();
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    // The age counts from before the query: a revocation during the query may be missing from the answer.
    const startedAtMs = app.clock.now().getTime();
    known = new Set(await findRevokedNames(app.mongo.db));
    readAtMs = startedAtMs;
  }

  return {
    async isRevoked(name) {
      // No one can have revoked anything since, and only what is in memory is answered.
      if (app.ownDatabase?.isStopped() && Number.isFinite(readAtMs)) return known.has(name);
      const ageMs = app.clock.now().getTime() - readAtMs;
      // The age is below 0 if the system's clock was set back; the list may then be of any age.
      if (ageMs < 0 || ageMs >= MAX_AGE_MS) {
        reading ??= read().finally(() => {
          reading = undefined;
        });
        await reading;
      }
      return known.has(name);
    },
  };
}
