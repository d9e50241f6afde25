// Who may manage an account: the signed-in person, never a key.
import type { Caller } from "../../../proto/caller.ts";
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { authenticate } from "./authenticate.ts";

/** The person's account id. A leaked key must not be able to make other keys and hide among them, or to sign its owner out. */
export async function signedInAccount(app: App, caller: Caller): Promise<string> {
  if (caller.kind === "key") {
    throw new AppError("insufficient_scope", {
      message: "Keys, secrets and sessions are managed by the signed-in person, not with a key.",
      hint: "Sign in on the website and open the account settings.",
    });
  }
  const { account } = await authenticate(app, caller, "write");
  return account._id;
}
