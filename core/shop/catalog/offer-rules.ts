// What anyone with an account can buy of a product at a moment, and for how much. This file is pure.
import type { LicenceKind } from "../../../proto/resources/membership.ts";
import type { PublicStatus } from "../../../proto/resources/product.ts";

export type PricedSale = {
  readonly cents: number;
  /** Infinite on an open side. */
  readonly startsAtMs: number;
  readonly endsAtMs: number;
};

/** The fields of a public product that decide. */
export type Priced = {
  readonly status: PublicStatus;
  readonly isForMembers: boolean;
  readonly regularCents: number | null;
  readonly clientCents: number | null;
  readonly sale: PricedSale | null;
};

export type OfferedLicence = {
  readonly licence: LicenceKind;
  readonly cents: number;
  readonly listCents: number;
  /** Running or to come. */
  readonly sale: PricedSale | null;
};

/**
 * The licences that can be bought, the standard one first. Feeds are for everyone, so licences that require a membership are left out, and
 * without payments only free ones are included.
 */
export function licencesForSale(
  { status, isForMembers, regularCents, clientCents, sale }: Priced,
  { nowMs, takesPayments }: { nowMs: number; takesPayments: boolean },
): OfferedLicence[] {
  if (status === "coming_soon" || isForMembers) return [];
  const licences: OfferedLicence[] = [];
  if (regularCents !== null) {
    const known = sale && nowMs < sale.endsAtMs ? sale : null;
    const cents = known && known.startsAtMs <= nowMs ? known.cents : regularCents;
    licences.push({ licence: "standard", cents, listCents: regularCents, sale: known });
  }
  if (clientCents !== null)
    licences.push({ licence: "client", cents: clientCents, listCents: clientCents, sale: null });
  return licences.filter(({ cents }) => cents === 0 || takesPayments);
}
