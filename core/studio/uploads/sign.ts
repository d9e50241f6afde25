// Signed addresses that accept a file: the holder of one may send one file until it expires.
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { type SignedLink, isSigned, signInfo } from "../../kernel/outputs/sign.ts";
import type { UploadDoc } from "./store.ts";

const PURPOSE = "atelier upload url v1";

type SignedInfo = { accountId: string; uploadId: string; expires: number };

export function signUploadUrl(
  app: Pick<App, "secrets" | "generationBaseUrl">,
  { _id: uploadId, account_id: accountId, expires_at }: UploadDoc,
): string {
  const expires = Math.floor(expires_at.getTime() / 1000);
  const signature = signInfo(app.secrets, factsOf({ accountId, uploadId, expires }));
  const query = new URLSearchParams({ account: accountId, expires: String(expires), signature });
  return `${app.generationBaseUrl}/api/uploads/${uploadId}?${query.toString()}`;
}

/** The account for which the address was signed. Throws upload_not_found. */
export function verifyUploadAccess(
  app: Pick<App, "secrets" | "clock">,
  access: { uploadId: string; account: string; expires: number; signature: string },
): string {
  const { uploadId, account, expires, signature } = access;
  const facts = factsOf({ accountId: account, uploadId, expires });
  if (!isSigned(app.secrets, facts, signature) || expires * 1000 <= app.clock.now().getTime())
    throw spentAddress();
  return account;
}

/** The same error for a changed, used or expired address. */
export function spentAddress(): AppError {
  return new AppError("upload_not_found", {
    message: "This address was altered, was used before, or has expired.",
    hint: "Ask for a new one; each takes one file, within fifteen minutes.",
  });
}

function factsOf({ accountId, uploadId, expires }: SignedInfo): SignedLink {
  return [PURPOSE, accountId, uploadId, expires];
}
