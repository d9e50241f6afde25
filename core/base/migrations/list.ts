// Every migration, in order, and the schema version that this code needs.
import { monthlyCredits } from "./0002-monthly-credits.ts";
import { localVoices } from "./0003-local-voices.ts";
import { fewerIndexes } from "./0004-fewer-indexes.ts";
import { smallFiles } from "./0005-small-files.ts";
import { mailboxes } from "./0006-mailboxes.ts";
import { work } from "./0008-work.ts";
import type { Migration } from "./migration.ts";

/** Data of the first release that knew of schema versions, and of the one before it, are version 1. */
export const FIRST_VERSION = 1;

/** Numbered without gaps. One that was released is never changed or taken out: data that have not seen it may still come. */
export const MIGRATIONS: readonly Migration[] = [
  monthlyCredits,
  localVoices,
  fewerIndexes,
  smallFiles,
  mailboxes,
  { version: 7, what: "kept free", batch: async () => null },
  work,
];
