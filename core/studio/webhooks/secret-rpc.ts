// The part of the service Accounts for the secret that signs callbacks: decodes, calls the verb, encodes.
import type { AccountsDefinition } from "../../../proto/types/atelier/v1/Accounts.ts";
import { signedInAccount } from "../../identity/accounts/signed-in-account.ts";
import type { App } from "../../kernel/app.ts";
import type { Handlers } from "../../kernel/rpc.ts";
import {
  getCallbackSecretState,
  type Rotation,
  rotateCallbackSecret,
  switchCallbackSecret,
} from "./secret.ts";

export function callbackSecretHandlers(
  app: App,
): Pick<
  Handlers<AccountsDefinition>,
  "GetCallbackSecretState" | "RotateCallbackSecret" | "SwitchCallbackSecret"
> {
  return {
    async GetCallbackSecretState(_request, { caller }) {
      const { known, ...rotation } = await getCallbackSecretState(app, await signedInAccount(app, caller));
      return { known, ...encodeRotation(rotation) };
    },

    async RotateCallbackSecret(_request, { caller }) {
      const { secret, ...rotation } = await rotateCallbackSecret(app, await signedInAccount(app, caller));
      return { secret, ...encodeRotation(rotation) };
    },

    async SwitchCallbackSecret(_request, { caller }) {
      const rotation = await switchCallbackSecret(app, await signedInAccount(app, caller));
      return { known: true, ...encodeRotation(rotation) };
    },
  };
}

function encodeRotation({ switchesAt, previousUntil }: Rotation) {
  return {
    switches_at: switchesAt?.toISOString() ?? "",
    previous_until: previousUntil?.toISOString() ?? "",
  };
}
