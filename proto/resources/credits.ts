// Balance and ledger as clients see them, and the hash chain of the ledger.
import { hash } from "node:crypto";
import { z } from "zod";
import { canonicalEntry, GENESIS_HASH, type HashedEntry } from "./ledger-chain.js";
import { openEnum } from "./open-enum.ts";

export const LEDGER_KINDS = [
  "grant",
  "purchase",
  "adjustment",
  "reserve",
  "debit",
  "release",
  "refund",
  "expire",
] as const;

const grantShareSchema = z
  .object({
    grant_id: z.string().describe("entry_id of the grant."),
    amount: z.number().int().min(1),
  })
  .meta({ id: "GrantShare" });

export const ledgerEntrySchema = z
  .object({
    entry_id: z.string(),
    seq: z.number().int().min(1).describe("From 1 in each account, without gaps."),
    kind: openEnum(LEDGER_KINDS),
    amount: z.number().int().describe("Change of the balance."),
    hold: z.number().int().describe("Change of the held part."),
    balance_after: z.number().int(),
    held_after: z.number().int(),
    job_id: z.string().nullable(),
    source: z.string(),
    key_id: z.string().nullable(),
    memo: z.string().nullable(),
    created_at: z.iso.datetime(),
    prev_hash: z.string(),
    hash: z
      .string()
      .describe(
        "SHA-256 of the canonical entry (RFC 8785), which is all of it but this field; without version 2, also without grants.",
      ),
    grants: z
      .array(grantShareSchema)
      .optional()
      .describe(
        "Which grants that expire these credits were taken from, or went back to; the rest never expires. Absent where there is none.",
      ),
    expires_at: z.iso
      .datetime()
      .optional()
      .describe(
        "When the rest of a grant expires. Absent where it never does, and in entries without version.",
      ),
    version: z
      .literal(2)
      .optional()
      .describe("Of the form that the hash covers. Absent in entries of the first form."),
  })
  .meta({ id: "LedgerEntry" });

/** The hold of another internal service that an entry belongs to, by its id; undefined for entries of jobs and of neither. */
export function holdOfEntry(entryId: string): string | undefined {
  const [, hold] = /^led_([^_]+)_hold_(?:reserve|debit|return)$/.exec(entryId) ?? [];
  return hold && `hold_${hold}`;
}

export type LedgerEntryResource = z.output<typeof ledgerEntrySchema>;

const GRANT_KINDS = ["monthly", "other"] as const;

const grantLeftSchema = z
  .object({
    grant_id: z.string().describe("entry_id of the grant."),
    kind: z.enum(GRANT_KINDS).describe("monthly for those that the plan includes."),
    left: z.number().int().min(1).describe("Still to spend."),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: "ExpiringGrant" });

export const balanceSchema = z
  .object({
    balance: z.number().int(),
    held: z.number().int().describe("Reserved for jobs that have not started."),
    available: z.number().int().describe("balance - held."),
    ledger_seq: z.number().int().describe("seq of the newest ledger entry; 0 when there is none."),
    ledger_hash: z.string().describe("Its hash: with it you can tell that nothing was cut off the end."),
    logged_seq: z
      .number()
      .int()
      .nullable()
      .describe("seq of the newest entry that /api/credits/proof proves; null while there is none."),
    grants: z
      .array(grantLeftSchema)
      .describe(
        "What is available of grants that expire, the soonest first, which is the order of spending. The rest of available never expires.",
      ),
    next_grant_at: z.iso
      .datetime()
      .nullable()
      .describe("When the next period begins, with the monthly credits of the plan at that time."),
  })
  .meta({ id: "Balance" });

export type BalanceResource = z.output<typeof balanceSchema>;

/** Lower-case hex SHA-256 over the canonical form of an entry. A `hash` in it is ignored. */
export function hashLedgerEntry(entry: HashedEntry): string {
  return hash("sha256", canonicalEntry(entry), "hex");
}

/** Checks entries of one account, oldest first. Returns the first seq that does not hold, or undefined if all do. */
export function findBrokenEntry(
  entries: readonly LedgerEntryResource[],
  prevHash = GENESIS_HASH,
): number | undefined {
  let previous = prevHash;
  for (const entry of entries) {
    if (entry.prev_hash !== previous || entry.hash !== hashLedgerEntry(entry)) return entry.seq;
    previous = entry.hash;
  }
  return undefined;
}
