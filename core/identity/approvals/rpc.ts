// The part of service Accounts in which the user approves or declines a key's request.
import { toMessage } from "../../../proto/codec.ts";
import { approvalSchema } from "../../../proto/resources/confirmation.ts";
import type { AccountsDefinition } from "../../../proto/types/atelier/v1/Accounts.ts";
import { logSecurity } from "../../../runtime/ops/security-log.ts";
import { signedInAccount } from "../accounts/signed-in-account.ts";
import type { App } from "../../kernel/app.ts";
import { factsOf, type Handlers } from "../../kernel/rpc.ts";
import { answerApproval, getApproval, listOthers } from "./answer.ts";
import { toApproval } from "./resource.ts";

type ApprovalMethods = "GetConfirmation" | "AnswerConfirmation";

export function approvalHandlers(app: App): Pick<Handlers<AccountsDefinition>, ApprovalMethods> {
  return {
    async GetConfirmation({ confirmation_id: approvalId }, { caller }) {
      const accountId = await signedInAccount(app, caller);
      const which = { accountId, approvalId };
      const [found, others] = await Promise.all([getApproval(app, which), listOthers(app, which)]);
      return toMessage(approvalSchema, toApproval(found, others));
    },

    async AnswerConfirmation({ confirmation_id: approvalId, yes, raise_to: raiseTo }, call) {
      const accountId = await signedInAccount(app, call.caller);
      const answered = await answerApproval(app, { accountId, approvalId }, yes, raiseTo);
      const facts = { ...factsOf(call), account_id: accountId, key_id: answered.key_id };
      if (answered.state === "yes") {
        logSecurity(app.log, "spending_confirmed", facts);
        if (raiseTo !== undefined) logSecurity(app.log, "key_changed", { ...facts, count: raiseTo });
      }
      return toMessage(approvalSchema, toApproval(answered));
    },
  };
}
