// The part of service Accounts in which the user reads a key's request for approval. Studio serves the answer, which can start jobs.
import { toMessage } from "../../../proto/codec.ts";
import { approvalSchema } from "../../../proto/resources/confirmation.ts";
import type { AccountsDefinition } from "../../../proto/types/atelier/v1/Accounts.ts";
import { signedInAccount } from "../accounts/signed-in-account.ts";
import type { App } from "../../kernel/app.ts";
import type { Handlers } from "../../kernel/rpc.ts";
import { getApproval, listOthers } from "./answer.ts";
import { toApproval } from "./resource.ts";

export function approvalHandlers(app: App): Pick<Handlers<AccountsDefinition>, "GetConfirmation"> {
  return {
    async GetConfirmation({ confirmation_id: approvalId }, { caller }) {
      const accountId = await signedInAccount(app, caller);
      const which = { accountId, approvalId };
      const [found, others, models] = await Promise.all([
        getApproval(app, which),
        listOthers(app, which),
        app.models(),
      ]);
      return toMessage(approvalSchema, toApproval(found, { others, models }));
    },
  };
}
