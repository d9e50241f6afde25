// The Credits service: decode, call the verb, encode.
import type { CreditsDefinition } from "../../proto/types/atelier/v1/Credits.ts";
import type { BalanceInput } from "../../proto/types/atelier/v1/Balance.ts";
import type { LedgerEntryInput } from "../../proto/types/atelier/v1/LedgerEntry.ts";
import { authenticate } from "../accounts/authenticate.ts";
import type { AccountDoc } from "../accounts/store.ts";
import type { App } from "../app.ts";
import type { Handlers } from "../rpc.ts";
import { listLedger } from "./read.ts";
import { availableCredits, toLedgerEntry } from "./rules.ts";
import type { LedgerDoc } from "./store.ts";

export function creditsHandlers(app: App): Handlers<CreditsDefinition> {
  return {
    GetBalance: async (_request, { caller }) =>
      balanceMessage((await authenticate(app, caller, "read")).account),
    ListLedger: async (request, { caller }) => {
      const { account } = await authenticate(app, caller, "read");
      const page = await listLedger(app, {
        accountId: account._id,
        limit: request.limit,
        cursor: request.cursor,
        kind: request.kind,
        jobId: request.job_id,
        since: request.since,
        until: request.until,
      });
      return { entries: page.entries.map(entryMessage), next_cursor: page.nextCursor };
    },
  };
}

export function balanceMessage(account: AccountDoc): BalanceInput {
  return {
    balance: account.balance,
    held: account.held,
    available: availableCredits(account),
    ledger_seq: account.ledger_seq,
    ledger_hash: account.ledger_hash,
  };
}

export function entryMessage(doc: LedgerDoc): LedgerEntryInput {
  const { job_id, key_id, memo, ...entry } = toLedgerEntry(doc);
  return {
    ...entry,
    // An absent proto3 optional field is null on the other side.
    ...(job_id !== null && { job_id }),
    ...(key_id !== null && { key_id }),
    ...(memo !== null && { memo }),
  };
}
