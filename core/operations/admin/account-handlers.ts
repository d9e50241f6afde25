// The part of the Admin service for accounts: listing them, and reading their keys, jobs and ledgers.
import { toMessage, toMessages } from "../../../proto/codec.ts";
import { balanceSchema, ledgerEntrySchema } from "../../../proto/resources/credits.ts";
import type { AccountInput } from "../../../proto/types/atelier/v1/Account.ts";
import type { AdminDefinition } from "../../../proto/types/atelier/v1/Admin.ts";
import { getAccount, getAnyAccount, listAccounts } from "../../identity/accounts/get-account.ts";
import { listKeys } from "../../identity/accounts/list-keys.ts";
import { keyMessage } from "../../identity/accounts/rpc.ts";
import type { AccountDoc } from "../../identity/accounts/store.ts";
import { recordWrite } from "../../identity/audit-trail/record-write.ts";
import { listLedger } from "../../identity/credits/read.ts";
import { toBalance, toLedgerEntry } from "../../identity/credits/rules.ts";
import type { App } from "../../kernel/app.ts";
import type { Handlers } from "../../kernel/rpc.ts";
import type { CancelJob } from "../../studio/jobs/cancel.ts";
import { findAnyJob } from "../../studio/jobs/get.ts";
import { listJobs } from "../../studio/jobs/list.ts";
import { toJob } from "../../studio/jobs/resource.ts";
import { jobMessage } from "../../studio/jobs/rpc.ts";

export function accountHandlers(app: App, { cancel }: { cancel: CancelJob }) {
  return {
    GetAccount: async ({ account }) => accountMessage(await getAnyAccount(app, account)),

    ListAccounts: async (request) => {
      const { rows, nextCursor } = await listAccounts(app, request);
      return { accounts: rows.map(accountMessage), next_cursor: nextCursor };
    },

    ListAccountKeys: async ({ account }) => {
      const { _id: accountId } = await getAccount(app, account);
      return { keys: (await listKeys(app, accountId)).map((key) => keyMessage(app, key)) };
    },

    ListAccountJobs: async ({ account, ...query }) => {
      const { _id: accountId } = await getAnyAccount(app, account);
      const { jobs, nextCursor } = await listJobs(app, { accountId, ...query });
      return { jobs: jobs.map(jobMessage), next_cursor: nextCursor };
    },

    GetAnyJob: async ({ job_id }) => jobMessage(await toJob(app, await findAnyJob(app, job_id))),

    CancelAnyJob: ({ job_id }, call) =>
      recordWrite(app, call, { target: job_id }, async () => {
        const { account_id: accountId } = await findAnyJob(app, job_id);
        await cancel({ accountId, jobId: job_id }, call);
        return jobMessage(await toJob(app, await findAnyJob(app, job_id)));
      }),

    ListAccountLedger: async ({ account, job_id: jobId, ...query }) => {
      const { _id: accountId } = await getAnyAccount(app, account);
      const { entries, nextCursor } = await listLedger(app, { accountId, jobId, ...query });
      return { entries: toMessages(ledgerEntrySchema, entries.map(toLedgerEntry)), next_cursor: nextCursor };
    },
  } satisfies Partial<Handlers<AdminDefinition>>;
}

/** An account as operators see it. */
export function accountMessage(account: AccountDoc): AccountInput {
  return {
    account_id: account._id,
    email: account.email,
    name: account.name,
    plan: account.plan,
    status: account.status,
    credits: toMessage(balanceSchema, toBalance(account)),
    welcome_credits: account.welcome ?? "",
    trial_until: account.trial?.until.toISOString(),
    created_at: account.created_at.toISOString(),
  };
}
