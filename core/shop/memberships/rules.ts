// The valid licences, and whether a membership allows one. This file is pure.
import { z } from "zod";
import { AppError } from "../../../proto/codes.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import { LICENCE_KINDS, LICENCE_SOURCES, type LicenceSource } from "../../../proto/resources/membership.ts";
import type { LicenceDoc } from "./store.ts";

const licenceTermsSchema = z.object({ kind: z.enum(LICENCE_KINDS), source: z.enum(LICENCE_SOURCES) });
export type LicenceTerms = z.output<typeof licenceTermsSchema>;

/** Throws invalid_request. */
export function checkLicenceTerms(wanted: { kind: string; source: string }): LicenceTerms {
  return parseRequest(licenceTermsSchema, { kind: wanted.kind, source: wanted.source });
}

/** Whether the licence is live, and so gives access to its product. */
export function isLive({ revoked_at }: Pick<LicenceDoc, "revoked_at">): boolean {
  return revoked_at === null;
}

/** The version of its kind's terms that it was granted under. */
export function termsVersion({ terms_version = 1 }: Pick<LicenceDoc, "terms_version">): number {
  return terms_version;
}

/**
 * `hint` is for others than the account's owner. Checks that the membership allows this licence now. Once granted, a licence does not depend on the membership any more. Throws
 * membership_required.
 */
export function checkLicenceAllowed(
  source: LicenceSource,
  product: { name: string; plus_only: boolean },
  plusProducts: boolean,
  hint?: string,
): void {
  const needsMembership = source === "membership" || (source === "purchase" && product.plus_only);
  if (!needsMembership || plusProducts) return;
  throw new AppError("membership_required", {
    message:
      source === "membership"
        ? "A licence that comes with the membership needs an active membership that includes plus products."
        : `${product.name} is for members only: it needs an active membership that includes plus products.`,
    ...(hint !== undefined && { hint }),
  });
}
