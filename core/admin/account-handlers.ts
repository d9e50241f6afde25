// The part of service Admin that looks into accounts: which there are, their keys, jobs and ledgers.
import type { AdminDefinition } from "../../proto/types/atelier/v1/Admin.ts";
import { getAccount, getAnyAccount, listAccounts } from "../accounts/get-account.ts";
import { listKeys } from "../accounts/list-keys.ts";
import { encodeKey } from "../accounts/rpc.ts";
import type { App } from "../app.ts";
import { listLedger } from "../credits/read.ts";
import { entryMessage } from "../credits/rpc.ts";
import { describeJob, findAnyJob, listJobs } from "../jobs/get.ts";
import { cancelJob } from "../jobs/release.ts";
import type { Handlers } from "../rpc.ts";
import { encodeAccount } from "./encode-account.ts";
import { recordWrite } from "../audit-trail/record-write.ts";

type AccountMethods =
  | "GetAccount"
  | "ListAccounts"
  | "ListAccountKeys"
  | "ListAccountJobs"
  | "GetAnyJob"
  | "CancelAnyJob"
  | "ListAccountLedger";

export function accountHandlers(app: App): Pick<Handlers<AdminDefinition>, AccountMethods> {
  return {
    GetAccount: async ({ account }) => encodeAccount(await getAnyAccount(app, account)),

    ListAccounts: async (request) => {
      const { rows, nextCursor } = await listAccounts(app, request);
      return { accounts: rows.map(encodeAccount), next_cursor: nextCursor };
    },

    ListAccountKeys: async ({ account }) => {
      const { _id: accountId } = await getAccount(app, account);
      return { keys: (await listKeys(app, accountId)).map(encodeKey) };
    },

    ListAccountJobs: async ({ account, ...query }) => {
      const { _id: accountId } = await getAnyAccount(app, account);
      const { jobs, nextCursor } = await listJobs(app, { accountId, ...query });
      return { jobs, next_cursor: nextCursor };
    },

    GetAnyJob: async ({ job_id }) => describeJob(app, await findAnyJob(app, job_id)),

    CancelAnyJob: ({ job_id }, call) =>
      recordWrite(app, call, { what: "CancelAnyJob", target: job_id }, async () => {
        const { account_id: accountId } = await findAnyJob(app, job_id);
        await cancelJob(app, accountId, job_id);
        return describeJob(app, await findAnyJob(app, job_id));
      }),

    ListAccountLedger: async ({ account, job_id: jobId, ...query }) => {
      const { _id: accountId } = await getAnyAccount(app, account);
      const { entries, nextCursor } = await listLedger(app, { accountId, jobId, ...query });
      return { entries: entries.map(entryMessage), next_cursor: nextCursor };
    },
  };
}
