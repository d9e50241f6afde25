// The findings of an audit of all accounts and their jobs' paths; none when the data are correct.
import type { App } from "../../core/kernel/app.ts";
import { auditAccounts } from "../../core/operations/audit/audit-accounts.ts";

export async function auditFindings(app: App): Promise<string[]> {
  const wrong: string[] = [];
  for await (const report of auditAccounts({ ...app, checksPaths: true }))
    wrong.push(...report.findings.map(({ what }) => what));
  return wrong;
}
