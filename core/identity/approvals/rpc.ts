// The part of service Accounts in which a person answers what a key asks to spend.
import { toMessage } from "../../../proto/codec.ts";
import { confirmationSchema } from "../../../proto/resources/confirmation.ts";
import type { AccountsDefinition } from "../../../proto/types/atelier/v1/Accounts.ts";
import { logSecurity } from "../../../runtime/ops/security-log.ts";
import { signedInAccount } from "../accounts/signed-in-account.ts";
import type { App } from "../../kernel/app.ts";
import { factsOf, type Handlers } from "../../kernel/rpc.ts";
import { answerConfirmation, getConfirmation } from "./answer.ts";
import { toConfirmation } from "./resource.ts";

type ConfirmationMethods = "GetConfirmation" | "AnswerConfirmation";

export function confirmationHandlers(app: App): Pick<Handlers<AccountsDefinition>, ConfirmationMethods> {
  return {
    async GetConfirmation({ confirmation_id: confirmationId }, { caller }) {
      const accountId = await signedInAccount(app, caller);
      const found = await getConfirmation(app, { accountId, confirmationId });
      return toMessage(confirmationSchema, toConfirmation(found));
    },

    async AnswerConfirmation({ confirmation_id: confirmationId, yes }, call) {
      const accountId = await signedInAccount(app, call.caller);
      const answered = await answerConfirmation(app, { accountId, confirmationId }, yes);
      const facts = { ...factsOf(call), account_id: accountId, key_id: answered.key_id };
      if (answered.state === "yes") logSecurity(app.log, "spending_confirmed", facts);
      return toMessage(confirmationSchema, toConfirmation(answered));
    },
  };
}
