// All migrations in order, and the schema version that this code needs.
import { monthlyCredits } from "./0002-monthly-credits.ts";
import { localVoices } from "./0003-local-voices.ts";
import { fewerIndexes } from "./0004-fewer-indexes.ts";
import { smallFiles } from "./0005-small-files.ts";
import { mailboxes } from "./0006-mailboxes.ts";
import { erasedFields } from "./0007-erased-fields.ts";
import { ownCircuitBreakers } from "./0008-own-breakers.ts";
import { work } from "./0009-work.ts";
import { comparedSubscriptions } from "./0010-compared-subscriptions.ts";
import { entryVersions } from "./0011-entry-versions.ts";
import { pricesByParams } from "./0012-prices-by-params.ts";
import type { Migration } from "./migration.ts";

/** Data of the first release with schema versions, and of the release before it, have version 1. */
export const FIRST_VERSION = 1;

/** Numbered without gaps. A released migration is never changed or removed, because older data may still arrive. */
export const MIGRATIONS: readonly Migration[] = [
  monthlyCredits,
  localVoices,
  fewerIndexes,
  smallFiles,
  mailboxes,
  erasedFields,
  ownCircuitBreakers,
  work,
  comparedSubscriptions,
  entryVersions,
  pricesByParams,
];
