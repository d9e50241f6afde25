// Signed URLs of outputs: the holder of one may read that file, and nothing else, until it expires.
import { createHmac, timingSafeEqual } from "node:crypto";
import { AppError } from "../../../proto/codes.ts";
import type { Secrets } from "../../../runtime/keys/secret.ts";
import type { App } from "../app.ts";
import { urlExpirySeconds } from "./rules.ts";

/** Keeps these signatures apart from anything else that may ever be signed with the same secret. */
const PURPOSE = "atelier output url v1";

const FRESH_ADDRESS =
  "Read the job again for an address that works; one can be had for as long as the file is kept.";

type SignedInfo = { accountId: string; jobId: string; outputId: string; expires: number };

export function signOutputUrl(
  app: Pick<App, "secrets" | "generationBaseUrl">,
  {
    accountId,
    jobId,
    outputId,
    expiresAt,
    now,
  }: {
    accountId: string;
    jobId: string;
    /** The id of the file, or of one of its thumbnails. */
    outputId: string;
    /** When the file expires. */
    expiresAt: Date;
    now: Date;
  },
): string {
  const expires = urlExpirySeconds(now, expiresAt);
  const signature = signInfo(app.secrets, factsOf({ accountId, jobId, outputId, expires }));
  const query = new URLSearchParams({ account: accountId, expires: String(expires), signature });
  return `${app.generationBaseUrl}/api/jobs/${jobId}/outputs/${outputId}?${query.toString()}`;
}

/**
 * Returns the account for which access was signed. Throws not_found, which says whether the URL has an invalid signature or has expired;
 * neither reveals anything about the file.
 */
export function verifySignedAccess(
  app: Pick<App, "secrets" | "clock">,
  access: { jobId: string; outputId: string; account: string; expires: number; signature: string },
): string {
  const { jobId, outputId, account, expires } = access;
  const facts = factsOf({ accountId: account, jobId, outputId, expires });
  if (!isSigned(app.secrets, facts, access.signature)) {
    throw new AppError("not_found", {
      message: "This address was altered or cut off: its signature does not fit.",
      hint: `Copy the whole address from the job's outputs. ${FRESH_ADDRESS}`,
    });
  }
  if (expires * 1000 <= app.clock.now().getTime())
    throw new AppError("not_found", { message: "This address has expired.", hint: FRESH_ADDRESS });
  return account;
}

function factsOf({ accountId, jobId, outputId, expires }: SignedInfo): SignedLink {
  return [PURPOSE, accountId, jobId, outputId, expires];
}

/** The first fact is the purpose, which keeps signatures of one kind from being taken for another. */
export type SignedLink = readonly (string | number)[];

/** The signature in base64url. */
export function signInfo([secret]: Secrets, facts: SignedLink): string {
  return digest(secret, facts).toString("base64url");
}

/** Whether one of the secrets has signed these facts with this signature. */
export function isSigned(secrets: Secrets, facts: SignedLink, signature: string): boolean {
  const given = Buffer.from(signature, "base64url");
  return secrets.some((secret) => {
    const expected = digest(secret, facts);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function digest(secret: string, facts: SignedLink): Buffer {
  // JSON keeps the parts apart whatever they contain.
  return createHmac("sha256", secret).update(JSON.stringify(facts)).digest();
}
