// Links to a product's file: the holder of one may read that file for the account, as long as the link is valid and the licence live.
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { type SignedLink, isSigned, signInfo } from "../../kernel/outputs/sign.ts";
import { allowedFile } from "./read-product-file.ts";
import { LINK_SECONDS } from "./rules.ts";

const PURPOSE = "atelier product file v1";
const FRESH_LINK = "Ask for a new one at /library; each opens for ten minutes.";

export type SignedAccess = { account: string; expires: number; signature: string };

/** Throws not_found if the account may not read the file. */
export async function signFileAccess(
  app: App,
  { accountId, fileId }: { accountId: string; fileId: string },
): Promise<SignedAccess> {
  await allowedFile(app, accountId, fileId);
  const expires = Math.floor(app.clock.now().getTime() / 1000) + LINK_SECONDS;
  const signature = signInfo(app.secrets, factsOf({ accountId, fileId, expires }));
  return { account: accountId, expires, signature };
}

/** The account for which the link was signed. Throws not_found, which says something about the link but nothing about the file. */
export function verifyFileAccess(
  app: Pick<App, "secrets" | "clock">,
  { fileId, account, expires, signature }: SignedAccess & { fileId: string },
): string {
  if (!isSigned(app.secrets, factsOf({ accountId: account, fileId, expires }), signature)) {
    throw new AppError("not_found", {
      message: "This link was altered or cut off: its signature does not fit.",
      hint: FRESH_LINK,
    });
  }
  if (expires * 1000 <= app.clock.now().getTime())
    throw new AppError("not_found", { message: "This link has expired.", hint: FRESH_LINK });
  return account;
}

function factsOf(signed: { accountId: string; fileId: string; expires: number }): SignedLink {
  return [PURPOSE, signed.accountId, signed.fileId, signed.expires];
}
