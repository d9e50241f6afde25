// The Credits service: decode, call the verb, encode.
import { toMessage, toMessages } from "../../../proto/codec.ts";
import { balanceSchema, ledgerEntrySchema } from "../../../proto/resources/credits.ts";
import type { CreditsDefinition } from "../../../proto/types/atelier/v1/Credits.ts";
import { authenticate } from "../accounts/authenticate.ts";
import type { App } from "../../kernel/app.ts";
import type { Handlers } from "../../kernel/rpc.ts";
import { signedInAccount } from "../accounts/signed-in-account.ts";
import { missingWelcome } from "./period-rules.ts";
import { listLedger } from "./read.ts";
import { toBalance, toLedgerEntry } from "./rules.ts";
import { setLowCredits } from "../accounts/set-low-credits.ts";

export function creditsHandlers(app: App): Handlers<CreditsDefinition> {
  return {
    GetBalance: async (_request, { caller }) => {
      const known = await authenticate(app, caller, "read");
      return toMessage(balanceSchema, toBalance(known.account), { missing_welcome: missingWelcome(known) });
    },
    GetLowCredits: async (_request, { caller }) => {
      await signedInAccount(app, caller);
      const { low } = (await authenticate(app, caller, "read")).account;
      return low ? { below: low.below } : {};
    },
    SetLowCredits: async ({ below }, { caller }) => {
      await setLowCredits(app, await signedInAccount(app, caller), below);
      return below === undefined ? {} : { below };
    },
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
        byJob: request.by_job,
        fromEntry: request.from_entry,
      });
      return {
        entries: toMessages(ledgerEntrySchema, page.entries.map(toLedgerEntry)),
        next_cursor: page.nextCursor,
        of_jobs: toMessages(ledgerEntrySchema, page.ofJobs.map(toLedgerEntry)),
      };
    },
  };
}
