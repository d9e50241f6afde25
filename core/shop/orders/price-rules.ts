// What an item costs one buyer: its price, and what comes off it for a membership, for a licence that is upgraded, and by a discount code.
// Pure.
import type { OrderReductionResource } from "../../../proto/resources/order.ts";

/** What comes off a price. The fields beside `cents` say why, and are enough to work it out again for another price. */
export type Reduction = OrderReductionResource;

/** What a discount code takes off: a part, or an amount. */
export type CodeTerms = { code: string; percent: number | null; off_cents: number | null };

export type Claims = {
  /** Of the buyer's tier of membership. */
  memberPercent?: number;
  /** The order of the licence that is upgraded, and what was paid for it. */
  upgrade?: { orderId: string; paidCents: number };
  code?: CodeTerms | undefined;
};

/** Payment providers take nothing below it: what is left of a reduced price is not charged then. */
export const MIN_CHARGE_CENTS = 50;

/** The price without tax, and what came off, in the order in which it did: membership, upgrade, code. */
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

/** The terms of the code among what came off; undefined where there is none. */
export function codeOf(reductions: readonly Reduction[]): CodeTerms | undefined {
  const found = reductions.find(({ kind }) => kind === "code");
  return found && { code: found.code ?? "", percent: found.percent, off_cents: found.off_cents };
}

/** Rounded to a whole cent, half a cent up. */
function partOf(cents: number, percent: number): number {
  return Math.round((cents * percent) / 100);
}
