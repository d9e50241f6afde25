// What an adapter of a payment provider is. Nothing outside an adapter knows a provider's own words.
export type Currency = "usd";

/** A paid period. Periods follow each other without a gap: the next one begins where this one ends. */
export type Period = { readonly from: Date; readonly until: Date };

/** Money that a provider took. */
export type Payment = {
  /** The provider's own id; unique within the provider. */
  readonly ref: string;
  /** Everything that was taken, including tax. */
  readonly amountCents: number;
  readonly taxCents: number;
  /** Lower case; may be one that we do not sell in. */
  readonly currency: string;
  readonly at: Date;
  /** The period that it pays for, if it is for a subscription. */
  readonly period?: Period | undefined;
};

export type NewCheckout = {
  /** The same key gives the same checkout again. */
  readonly idempotencyKey: string;
  readonly orderId: string;
  readonly accountId: string;
  readonly email: string;
  readonly items: readonly { readonly name: string; readonly amountCents: number }[];
  readonly currency: Currency;
  /** Paid once; or at the start of each period, until the subscription ends. */
  readonly every: "once" | "month" | "year";
  /** Our own id of the subscription that it begins; all news of the subscription says it again. */
  readonly subscriptionId?: string | undefined;
  /** Where the person comes back to, paid or not. Only events say how it ended. */
  readonly returnUrl: string;
  /** When it can no longer be paid. A provider may know shorter times only. */
  readonly expiresAt: Date;
  /** When it was asked for first. A repeat says the same time, so that it asks for exactly the same. */
  readonly at: Date;
};

/** open: may still be paid. pending: the person has paid, and the bank takes days to say so. The others are final. */
export type CheckoutState = "open" | "pending" | "paid" | "declined" | "expired" | "cancelled";

/** Where a person pays for one order. */
export type Checkout = {
  readonly ref: string;
  readonly state: CheckoutState;
  /** The page to pay on; null where it cannot be paid any more. */
  readonly url: string | null;
  readonly payment: Payment | null;
  /** Of one that is paid by the period, once it is paid. */
  readonly subscriptionRef: string | null;
};

/** A checkout that can be paid, and the order that it was made for. */
export type OpenCheckout = { readonly ref: string; readonly orderId: string };

/** Which subscription: by the provider's id, and by ours as its checkout was made with; null where the provider does not say. */
export type SubscriptionInfo = { readonly subscriptionRef: string; readonly subscriptionId: string | null };

/** What a period costs: in cents, and how long it is in the provider's word, `month` or `year` where we made it. */
type PeriodPrice = { readonly amountCents: number; readonly every: string };

/** A subscription as it is at the provider. */
export type ProviderSubscription = {
  readonly hasEnded: boolean;
  readonly paidUntil: Date;
  /** Ends with the period that is paid. */
  readonly endsThen: boolean;
  readonly price: PeriodPrice;
  /** From the next period on, where a change is planned. */
  readonly nextPrice: PeriodPrice | null;
};

type CheckoutInfo = {
  readonly checkoutRef: string;
  /** As the checkout was made with; null where the provider does not say. */
  readonly orderId: string | null;
  readonly accountId: string | null;
};

/** What a provider tells, in our words. */
export type PaymentEventBody =
  | (CheckoutInfo & {
      readonly kind: "paid";
      readonly payment: Payment;
      readonly subscriptionRef: string | null;
    })
  | (CheckoutInfo & { readonly kind: "declined" | "expired" })
  /** `amountCents` is all that was given back of the payment so far. */
  | {
      readonly kind: "refunded";
      readonly paymentRef: string;
      readonly amountCents: number;
      readonly isWhole: boolean;
    }
  | { readonly kind: "dispute_opened" | "dispute_won" | "dispute_lost"; readonly paymentRef: string }
  /** Of a subscription that goes on: the next period is paid. Its first period is told of by `paid`. */
  | (SubscriptionInfo & {
      readonly kind: "renewed";
      readonly payment: Payment & { readonly period: Period };
    })
  /** The next period was to be paid and is not. The provider tries again by itself, and says this each time. */
  | (SubscriptionInfo & { readonly kind: "renewal_failed" })
  /** Paid for a change within a period. */
  | (SubscriptionInfo & { readonly kind: "change_paid"; readonly payment: Payment })
  /** What it is now, whatever has changed; may say nothing new. */
  | (SubscriptionInfo &
      Pick<ProviderSubscription, "paidUntil" | "endsThen"> & { readonly kind: "subscription_changed" })
  /** It is over, and nothing more is paid. */
  | (SubscriptionInfo & { readonly kind: "subscription_ended" })
  /** Nothing that we act on. */
  | { readonly kind: "other"; readonly what: string };

export type PaymentEvent = {
  /** The provider's own id; an event that is sent again has the same. */
  readonly id: string;
  readonly at: Date;
  readonly news: PaymentEventBody;
};

/** By lower-case name. */
export type EventHeaders = Readonly<Record<string, string>>;

/** The event was not signed by the provider, or too long ago. */
export class BadSignature extends Error {
  override readonly name = "BadSignature";
}

/**
 * away: it did not answer, or not now; later it may. setup: it does not let this installation in, so that somebody has to mend that.
 * declined: the bank does not pay. refused: it will not do this at all.
 */
export type PaymentProviderFailure = "away" | "setup" | "declined" | "refused";

/** The provider did not do what it was asked to do. Unless `isFinal`, it may when tried again later. */
export class PaymentProviderFailed extends Error {
  override readonly name = "PaymentProviderFailed";
  readonly isFinal: boolean;
  readonly why: PaymentProviderFailure;
  constructor(
    message: string,
    options: ErrorOptions & { isFinal?: boolean; why?: PaymentProviderFailure } = {},
  ) {
    super(message, options);
    this.isFinal = options.isFinal ?? false;
    this.why = options.why ?? (this.isFinal ? "refused" : "away");
  }
}

/** Every method rejects with PaymentProviderFailed, and may be repeated with the same arguments. */
export type PaymentProvider = {
  /** Path segment of its events, and stored with orders: it never changes. */
  readonly name: string;
  createCheckout(wanted: NewCheckout): Promise<Checkout>;
  /** What the provider knows of it now. */
  fetchCheckout(ref: string): Promise<Checkout>;
  /** It cannot be paid afterwards, unless it is answered as `paid`: then the payment was faster. */
  cancelCheckout(ref: string): Promise<Checkout>;
  /** All checkouts of this installation that can be paid now. */
  listOpenCheckouts(): Promise<OpenCheckout[]>;
  /** Gives a payment back whole. A second time for the same payment changes nothing. */
  refund(wanted: { idempotencyKey: string; paymentRef: string }): Promise<void>;
  /** The page on which a person changes card and address; null where there is none. */
  createPortal(wanted: { accountId: string; returnUrl: string }): Promise<string | null>;
  /** What the provider has of it now; null where it knows no such subscription. */
  readSubscription(ref: string): Promise<ProviderSubscription | null>;
  /** At the end of the period that is paid, or now; `resume` takes the former back. The same once more changes nothing. */
  cancelSubscription(wanted: {
    idempotencyKey: string;
    ref: string;
    when: "period_end" | "now" | "resume";
  }): Promise<void>;
  /** Now with the unused time taken off, and then paid at once or not changed; or from the next period on. */
  changeSubscription(wanted: {
    idempotencyKey: string;
    ref: string;
    item: { name: string; amountCents: number };
    currency: Currency;
    every: "month" | "year";
    when: "now" | "period_end";
  }): Promise<void>;
  /** Verifies and translates; may ask the provider for what the event leaves out. Rejects with BadSignature too. */
  readEvent(rawBody: Uint8Array, headers: EventHeaders): Promise<PaymentEvent>;
};

/** Those that this installation knows, by name. */
export type Payments = {
  readonly known: ReadonlyMap<string, PaymentProvider>;
  /** Who takes new orders; undefined: nothing that costs money can be bought here. */
  readonly current: PaymentProvider | undefined;
};

/** Throws PaymentProviderFailed where it is not set up here any more. */
export function knownProvider({ known }: Payments, name: string | null): PaymentProvider {
  const provider = known.get(name ?? "");
  if (!provider) throw new PaymentProviderFailed(`the provider ${name ?? ""} is not set up here`);
  return provider;
}
