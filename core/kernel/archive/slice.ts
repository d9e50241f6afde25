// What a process needs to know of the archive.
import type { Slice } from "../slice.ts";
import { forgetArchivedWords } from "./forget-words.ts";
import { ARCHIVE_COLLECTIONS } from "./store.ts";

export const archiveSlice: Slice = {
  name: "kernel/archive",
  collections: ARCHIVE_COLLECTIONS,
  /** The lowest slice that erases anything once the account is idle: rows that were archived in between are erased too. */
  owned: { erase: { onceIdle: forgetArchivedWords } },
};
