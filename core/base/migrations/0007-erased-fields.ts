// Accounts that were deleted are gone through once more: the releases before kept the traces of their archived jobs and workflows, notes in orders
// and subscriptions, and the threshold of low credits. The sweep of deleted accounts does it, because the archive's files may be in an object
// store, which a migration does not reach; each sweep goes on where the one before was interrupted. The release before leaves the new field
// alone. What it erases after this has passed has no such field, which means the same.
import { type Migration, updateNext } from "./migration.ts";

export const erasedFields: Migration = {
  version: 7,
  what: "accounts that were deleted are erased field by field, their archives too",
  batch: (batch) =>
    updateNext(batch, "account_deletions", { fields_erased_at: { $exists: false } }, [
      { $set: { fields_erased_at: null } },
    ]),
};
