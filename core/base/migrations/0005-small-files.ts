// From this version on a small file may store its bytes in its document, as long as no older process runs, which would look for a chunk.
// Stored files stay unchanged: files in chunks remain readable, because large files still use them.
import type { Migration } from "./migration.ts";

export const smallFiles: Migration = {
  version: 5,
  what: "small files may carry their bytes with their record",
  batch: async () => null,
};
