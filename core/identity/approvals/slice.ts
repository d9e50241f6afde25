// The parts of approvals that processes need.
import type { Slice } from "../../kernel/slice.ts";
import { toApproval } from "./resource.ts";
import { approvalHandlers } from "./rpc.ts";
import { APPROVAL_COLLECTIONS, deleteApprovals, findApprovalsOf } from "./store.ts";

export const approvalsSlice: Slice = {
  name: "identity/approvals",
  collections: APPROVAL_COLLECTIONS,
  serve: (app) => ({ Accounts: approvalHandlers(app) }),
  owned: {
    export: {
      parts: async (app, accountId) => ({
        confirmations: (await findApprovalsOf(app.mongo.db, accountId)).map((one) => toApproval(one)),
      }),
    },
    erase: {
      closing: (app, { accountId }, tx) => deleteApprovals(app.mongo.db, accountId, tx),
    },
  },
};
