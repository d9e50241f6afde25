// What an audit of all accounts finds; nothing, when the books are sound.
import type { App } from "../../core/kernel/app.ts";
import { auditAccounts } from "../../core/operations/audit/audit-accounts.ts";

export async function auditFindings(app: App): Promise<string[]> {
  const wrong: string[] = [];
  for await (const report of auditAccounts(app)) wrong.push(...report.findings.map(({ what }) => what));
  return wrong;
}
