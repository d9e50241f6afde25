// The Credits service: decode, call the verb, encode.
import type { Caller } from "../../../proto/caller.ts";
import { toMessage, toMessages } from "../../../proto/codec.ts";
import { apiKeySchema } from "../../../proto/resources/api-key.ts";
import { balanceSchema, ledgerEntrySchema } from "../../../proto/resources/credits.ts";
import { type MeResource, meSchema } from "../../../proto/resources/me.ts";
import type { AccountsDefinition } from "../../../proto/types/atelier/v1/Accounts.ts";
import type { BalanceInput } from "../../../proto/types/atelier/v1/Balance.ts";
import type { CreditsDefinition } from "../../../proto/types/atelier/v1/Credits.ts";
import { createRecent } from "../../base/mongo/recent.ts";
import type { App } from "../../kernel/app.ts";
import type { Handlers } from "../../kernel/rpc.ts";
import { authenticate } from "../accounts/authenticate.ts";
import { setLowCredits } from "../accounts/change-settings.ts";
import { toApiKey, toPlan } from "../accounts/resource.ts";
import type { Identity } from "../accounts/rules.ts";
import { readSignedIn, signedInAccount } from "../accounts/signed-in-account.ts";
import { currentLog, newestLogged } from "../log/read-log.ts";
import { missingWelcome } from "./period-rules.ts";
import { listLedger } from "./read.ts";
import { availableCredits, expireDue, toBalance, toLedgerEntry } from "./rules.ts";

/** A balance may name the checkpoint of this long ago, so that it costs one query and not three. */
const LOG_MAX_AGE_MS = 1_000;

export function creditsHandlers(app: App) {
  const recentLog = createRecent(() => currentLog(app), LOG_MAX_AGE_MS);
  const balanceMessage = async (known: Identity): Promise<BalanceInput> => {
    const logged = await newestLogged(app, known.account._id, await recentLog());
    const balance = toBalance(known.account, logged?.head.seq ?? null);
    return toMessage(balanceSchema, balance, { missing_welcome: missingWelcome(known) });
  };
  return {
    GetBalance: async ({ with_key: withKey }, { caller }) => {
      const known = await authenticate(app, caller, "read");
      const key = withKey && known.key && toApiKey(known.key, app.clock.now());
      return { ...(await balanceMessage(known)), ...(key && { key: toMessage(apiKeySchema, key) }) };
    },
    GetLowCredits: async (_request, { caller }) => {
      const { low } = await readSignedIn(app, caller);
      return low ? { below: low.below } : {};
    },
    SetLowCredits: async ({ below }, { caller }) => {
      await setLowCredits(app, await signedInAccount(app, caller), below);
      return below === undefined ? {} : { below };
    },
    ListLedger: async (request, { caller }) => {
      // Read before the entries: entries written in between are not part of the balance.
      const known = await authenticate(app, caller, "read");
      const page = await listLedger(app, {
        accountId: known.account._id,
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
        ...(request.with_balance && { balance: await balanceMessage(known) }),
      };
    },
  } satisfies Partial<Handlers<CreditsDefinition>>;
}

async function describeCaller(app: App, caller: Caller): Promise<MeResource> {
  const { account, plan, key } = await authenticate(app, caller, "read");
  const now = app.clock.now();
  return {
    account_id: account._id,
    plan: toPlan(plan),
    key: key && toApiKey(key, now),
    credits_available: availableCredits(expireDue(account, now)?.head ?? account),
    jobs: { waiting: account.waiting, running: account.running },
  };
}

/** A method of the service Accounts; it is here because it reads the credits too. */
export function meHandlers(app: App): Pick<Handlers<AccountsDefinition>, "GetMe"> {
  return { GetMe: async (_request, { caller }) => toMessage(meSchema, await describeCaller(app, caller)) };
}
