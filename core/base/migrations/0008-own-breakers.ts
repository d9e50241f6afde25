// Each worker has circuit breakers of its own, so the collection that shared them goes. A process of the release before finds nothing in it,
// takes that for closed circuits, and makes the collection again when a call fails: what it writes then is read by no one.
import type { Migration } from "./migration.ts";

export const ownBreakers: Migration = {
  version: 8,
  what: "circuit breakers are no longer shared over the database",
  batch: async ({ db }) => {
    // Beside the transaction, which cannot do that; once is as good as twice.
    await db.dropCollection("provider_breakers");
    return null;
  },
};
