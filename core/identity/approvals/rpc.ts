// The part of service Accounts in which the user reads a key's request for approval. Studio serves the answer, which can start jobs.
import { toMessage } from "../../../proto/codec.ts";
import { approvalSchema } from "../../../proto/resources/confirmation.ts";
import type { AccountsDefinition } from "../../../proto/types/atelier/v1/Accounts.ts";
import type { App } from "../../kernel/app.ts";
import type { Handlers } from "../../kernel/rpc.ts";
import { keyById } from "../accounts/look-up.ts";
import { isLiveKey } from "../accounts/rules.ts";
import { signedInAccount } from "../accounts/signed-in-account.ts";
import { getApproval, listOthers } from "./answer.ts";
import { toApproval } from "./resource.ts";

export function approvalHandlers(app: App) {
  return {
    async GetConfirmation({ confirmation_id: approvalId }, { caller }) {
      const accountId = await signedInAccount(app, caller);
      const which = { accountId, approvalId };
      const found = await getApproval(app, which);
      const [others, models, key] = await Promise.all([
        listOthers(app, which),
        app.models(),
        keyById(app, found.key_id),
      ]);
      const isKeyEnded = !key || !isLiveKey(key, app.clock.now());
      return toMessage(approvalSchema, toApproval(found, { others, models, isKeyEnded }));
    },
  } satisfies Partial<Handlers<AccountsDefinition>>;
}
