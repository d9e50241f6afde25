// From this version on a small file may carry its bytes beside its facts, where no code of before may be running that would look for a chunk.
// What is stored stays as it is: files of chunks are read for ever, since large ones are.
import type { Migration } from "./migration.ts";

export const smallFiles: Migration = {
  version: 5,
  what: "small files may carry their bytes with their record",
  batch: async () => null,
};
