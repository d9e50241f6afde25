// The part of service Accounts in which the user answers a key's request for approval: an approval of a job or workflow starts it.
import { toMessage } from "../../../proto/codec.ts";
import { approvalSchema } from "../../../proto/resources/confirmation.ts";
import type { AccountsDefinition } from "../../../proto/types/atelier/v1/Accounts.ts";
import { logSecurity } from "../../../runtime/ops/security-log.ts";
import { signedInAccount } from "../../identity/accounts/signed-in-account.ts";
import { answerApproval } from "../../identity/approvals/answer.ts";
import { toApproval } from "../../identity/approvals/resource.ts";
import type { App } from "../../kernel/app.ts";
import { factsOf, type Handlers } from "../../kernel/rpc.ts";
import { withInputs } from "../jobs/inputs.ts";
import type { Accepting } from "../jobs/retry.ts";
import { acceptWorkflow } from "./accept.ts";
import { startApproved } from "./start-approved.ts";

export function answerHandlers(app: App, { accept, uploads }: Accepting) {
  return {
    async AnswerConfirmation({ confirmation_id: approvalId, yes, raise_to: raiseTo }, call) {
      const accountId = await signedInAccount(app, call.caller);
      const answered = await answerApproval(app, { accountId, approvalId }, yes, raiseTo);
      const facts = { ...factsOf(call), account_id: accountId, key_id: answered.key_id };
      if (answered.state === "yes") {
        logSecurity(app.log, "spending_confirmed", facts);
        if (raiseTo !== undefined) logSecurity(app.log, "key_changed", { ...facts, count: raiseTo });
      }
      const started = await startApproved(app, answered, {
        job: (one) => withInputs(app, uploads, one, call.signal, (found) => accept(found, call)),
        workflow: (one) => acceptWorkflow(app, uploads, one, call.signal),
      });
      return toMessage(approvalSchema, toApproval(started));
    },
  } satisfies Partial<Handlers<AccountsDefinition>>;
}
