// The valid licences, and whether a membership allows one. This file is pure.
import { AppError } from "../../../proto/codes.ts";
import {
  LICENCE_KINDS,
  LICENCE_SOURCES,
  type LicenceKind,
  type LicenceSource,
} from "../../../proto/resources/membership.ts";
import type { LicenceDoc } from "./store.ts";

export type LicenceTerms = { kind: LicenceKind; source: LicenceSource };

/** Throws invalid_request. */
export function checkLicenceTerms(wanted: { kind: string; source: string }): LicenceTerms {
  const kind = LICENCE_KINDS.find((known) => known === wanted.kind);
  const source = LICENCE_SOURCES.find((known) => known === wanted.source);
  if (kind && source) return { kind, source };
  throw new AppError("invalid_request", {
    issues: [
      ...(kind ? [] : [{ path: "kind", message: `must be one of ${LICENCE_KINDS.join(", ")}` }]),
      ...(source ? [] : [{ path: "source", message: `must be one of ${LICENCE_SOURCES.join(", ")}` }]),
    ],
  });
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
