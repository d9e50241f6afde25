// Who may manage an account: the signed-in person, never a key.
import type { Caller } from "../../../proto/caller.ts";
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { authenticate } from "./authenticate.ts";
import type { AccountDoc } from "./store.ts";

/** The person's account id. */
export async function signedInAccount(app: App, caller: Caller): Promise<string> {
  return (await readSignedIn(app, caller))._id;
}

/** The person's account. A leaked key must not be able to create other keys, or to sign its owner out. */
export async function readSignedIn(app: App, caller: Caller): Promise<AccountDoc> {
  if (caller.kind === "key") {
    throw new AppError("insufficient_scope", {
      message: "Keys, secrets and sessions are managed by the signed-in user, not with a key.",
      hint: "Sign in on the website and open the account settings.",
    });
  }
  return (await authenticate(app, caller, "write")).account;
}
