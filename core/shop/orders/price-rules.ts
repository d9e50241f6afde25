// The price of an item for one buyer, with the reductions for a membership, for a licence that is upgraded, and by a discount code. This
// file is pure.
import type { OrderReductionResource } from "../../../proto/resources/order.ts";

/** A reduction of a price. The other fields give the reason, and suffice to calculate it again for another price. */
export type Reduction = OrderReductionResource;

/** The discount of a code: a percentage, or an amount. */
export type CodeTerms = { code: string; percent: number | null; off_cents: number | null };

export type Claims = {
  /** The discount of the buyer's tier of membership. */
  memberPercent?: number;
  /** The order of the licence that is upgraded, and what was paid for it. */
  upgrade?: { orderId: string; paidCents: number };
  code?: CodeTerms | undefined;
};

/** Payment providers accept nothing below it: the rest of a reduced price is not charged then. */
export const MIN_CHARGE_CENTS = 50;

/** The price without tax, and the reductions, in the order in which they apply: membership, upgrade, code. */
export function reducedPrice(
  listCents: number,
  { memberPercent = 0, upgrade, code }: Claims,
): { cents: number; reductions: Reduction[] } {
  const reductions: Reduction[] = [];
  let left = listCents;
  const take = (wantedCents: number, why: Pick<Reduction, "kind"> & Partial<Reduction>) => {
    const rest = left - wantedCents;
    const cents = rest < MIN_CHARGE_CENTS ? left : wantedCents;
    if (wantedCents <= 0 || cents <= 0) return;
    left -= cents;
    reductions.push({ percent: null, off_cents: null, code: null, order_id: null, ...why, cents });
  };
  take(partOf(left, memberPercent), { kind: "membership", percent: memberPercent });
  if (upgrade) take(Math.min(upgrade.paidCents, left), { kind: "upgrade", order_id: upgrade.orderId });
  if (code) {
    const { percent, off_cents } = code;
    const wanted = percent === null ? Math.min(off_cents ?? 0, left) : partOf(left, percent);
    take(wanted, { kind: "code", ...code });
  }
  return { cents: left, reductions };
}

/** The terms of the code among the reductions; undefined if there is none. */
export function codeOf(reductions: readonly Reduction[]): CodeTerms | undefined {
  const found = reductions.find(({ kind }) => kind === "code");
  return found && { code: found.code ?? "", percent: found.percent, off_cents: found.off_cents };
}

/** What is left of a price after a partial refund, which returns its part of the tax too; rounded in the buyer's favour. */
export function keptCents(
  { amount_cents, tax_cents }: { amount_cents: number; tax_cents: number },
  refundedCents = 0,
): number {
  const paid = amount_cents + tax_cents;
  return paid === 0 ? 0 : Math.ceil((amount_cents * Math.max(paid - refundedCents, 0)) / paid);
}

/** Rounded to a whole cent, half a cent up. */
function partOf(cents: number, percent: number): number {
  return Math.round((cents * percent) / 100);
}
