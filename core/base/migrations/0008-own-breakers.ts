// Each worker has its own circuit breakers, so the shared collection is dropped. A process of the release before treats the missing
// documents as closed circuits and creates the collection again when a call fails; no one reads what it writes.
import type { Migration } from "./migration.ts";

export const ownCircuitBreakers: Migration = {
  version: 8,
  what: "circuit breakers are no longer shared over the database",
  batch: async ({ db }) => {
    // Collections cannot be dropped in a transaction; repeating this is harmless.
    await db.dropCollection("provider_breakers");
    return null;
  },
};
