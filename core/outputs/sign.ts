// Signed URLs of outputs: whoever holds one may read that file, and nothing else, until it expires.
import { createHmac, timingSafeEqual } from "node:crypto";
import { AppError } from "../../proto/codes.ts";
import type { App } from "../app.ts";
import { urlExpirySeconds } from "./rules.ts";

/** Keeps these signatures apart from anything else that may ever be signed with the same secret. */
const PURPOSE = "atelier output url v1";

const FRESH_ADDRESS =
  "Read the job again for an address that works; one can be had for as long as the file is kept.";

type SignedFacts = { accountId: string; jobId: string; outputId: string; expires: number };

export function signOutputUrl(
  app: Pick<App, "secret" | "generationBaseUrl">,
  {
    accountId,
    jobId,
    outputId,
    expiresAt,
    now,
  }: {
    accountId: string;
    jobId: string;
    /** Or the id of one of its thumbnails. */
    outputId: string;
    /** Of the file. */
    expiresAt: Date;
    now: Date;
  },
): string {
  const expires = urlExpirySeconds(now, expiresAt);
  const signature = sign(app.secret, { accountId, jobId, outputId, expires }).toString("base64url");
  const query = new URLSearchParams({ account: accountId, expires: String(expires), signature });
  return `${app.generationBaseUrl}/api/jobs/${jobId}/outputs/${outputId}?${query.toString()}`;
}

/**
 * The account on whose behalf access was signed. Throws not_found, which says whether the address is not ours or has expired; neither
 * reveals anything about the file.
 */
export function verifySignedAccess(
  app: Pick<App, "secret" | "clock">,
  access: { jobId: string; outputId: string; account: string; expires: number; signature: string },
): string {
  const { jobId, outputId, account, expires } = access;
  const expected = sign(app.secret, { accountId: account, jobId, outputId, expires });
  if (!isGenuine(access.signature, expected)) {
    throw new AppError("not_found", {
      message: "This address was altered or cut off: its signature does not fit.",
      hint: `Copy the whole address from the job's outputs. ${FRESH_ADDRESS}`,
    });
  }
  if (expires * 1000 <= app.clock.now().getTime())
    throw new AppError("not_found", { message: "This address has expired.", hint: FRESH_ADDRESS });
  return account;
}

function sign(secret: string, { accountId, jobId, outputId, expires }: SignedFacts): Buffer {
  return signFacts(secret, [PURPOSE, accountId, jobId, outputId, expires]);
}

/** The first of the facts is the purpose, which keeps signatures of one kind from being taken for another. */
export function signFacts(secret: string, facts: readonly (string | number)[]): Buffer {
  // JSON keeps the parts apart whatever they contain.
  return createHmac("sha256", secret).update(JSON.stringify(facts)).digest();
}

/** In constant time. `given` is base64url. */
export function isGenuine(given: string, expected: Buffer): boolean {
  const bytes = Buffer.from(given, "base64url");
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}
