// The part of service Accounts in which the user approves or declines a key's request.
import { toMessage } from "../../../proto/codec.ts";
import { approvalSchema } from "../../../proto/resources/confirmation.ts";
import type { AccountsDefinition } from "../../../proto/types/atelier/v1/Accounts.ts";
import { logSecurity } from "../../../runtime/ops/security-log.ts";
import { signedInAccount } from "../accounts/signed-in-account.ts";
import type { App } from "../../kernel/app.ts";
import { factsOf, type Handlers } from "../../kernel/rpc.ts";
import { answerApproval, getApproval } from "./answer.ts";
import { toApproval } from "./resource.ts";

type ApprovalMethods = "GetConfirmation" | "AnswerConfirmation";

export function approvalHandlers(app: App): Pick<Handlers<AccountsDefinition>, ApprovalMethods> {
  return {
    async GetConfirmation({ confirmation_id: approvalId }, { caller }) {
      const accountId = await signedInAccount(app, caller);
      const found = await getApproval(app, { accountId, approvalId });
      return toMessage(approvalSchema, toApproval(found));
    },

    async AnswerConfirmation({ confirmation_id: approvalId, yes }, call) {
      const accountId = await signedInAccount(app, call.caller);
      const answered = await answerApproval(app, { accountId, approvalId }, yes);
      const facts = { ...factsOf(call), account_id: accountId, key_id: answered.key_id };
      if (answered.state === "yes") logSecurity(app.log, "spending_confirmed", facts);
      return toMessage(approvalSchema, toApproval(answered));
    },
  };
}
