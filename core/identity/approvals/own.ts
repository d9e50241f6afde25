// The approvals of an account, for its export.
import type { App } from "../../kernel/app.ts";
import { type ApprovalDoc, findApprovalsOf } from "./store.ts";

export async function listApprovals(app: App, accountId: string): Promise<ApprovalDoc[]> {
  return findApprovalsOf(app.mongo.db, accountId);
}
