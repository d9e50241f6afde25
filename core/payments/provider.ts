// What an adapter of a payment provider is. Nothing outside an adapter knows a provider's own words.
export type Currency = "usd";

/** Money that a provider took. */
export type Payment = {
  /** The provider's own id; unique within the provider. */
  readonly ref: string;
  /** All that was taken, tax included. */
  readonly amountCents: number;
  readonly taxCents: number;
  /** Lower case; may be one that we do not sell in. */
  readonly currency: string;
  readonly at: Date;
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
  /** Where the person comes back to, paid or not. What came of it is told by events only. */
  readonly returnUrl: string;
  /** When it can no longer be paid. A provider may know shorter times only. */
  readonly expiresAt: Date;
};

/** open: may still be paid. The others are final. */
export type CheckoutState = "open" | "paid" | "declined" | "expired" | "cancelled";

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

/** A subscription as it is at the provider. */
export type SubscriptionState = {
  readonly ref: string;
  readonly paidUntil: Date;
  /** Ends with the period that is paid. */
  readonly endsThen: boolean;
};

type CheckoutFacts = {
  readonly checkoutRef: string;
  /** As the checkout was made with; null where the provider does not say. */
  readonly orderId: string | null;
  readonly accountId: string | null;
};

/** What a provider tells, in our words. */
export type PaymentNews =
  | (CheckoutFacts & {
      readonly kind: "paid";
      readonly payment: Payment;
      readonly subscriptionRef: string | null;
    })
  | (CheckoutFacts & { readonly kind: "declined" | "expired" })
  /** `amountCents` is all that was given back of the payment so far. */
  | {
      readonly kind: "refunded";
      readonly paymentRef: string;
      readonly amountCents: number;
      readonly isWhole: boolean;
    }
  | { readonly kind: "dispute_opened" | "dispute_won" | "dispute_lost"; readonly paymentRef: string }
  | {
      readonly kind: "renewed";
      readonly subscriptionRef: string;
      readonly payment: Payment;
      readonly paidUntil: Date;
    }
  | { readonly kind: "renewal_failed"; readonly subscriptionRef: string }
  | { readonly kind: "subscription_changed"; readonly subscription: SubscriptionState }
  | { readonly kind: "subscription_ended"; readonly subscriptionRef: string }
  /** Nothing that we act on. */
  | { readonly kind: "other"; readonly what: string };

export type PaymentEvent = {
  /** The provider's own id; an event that is sent again has the same. */
  readonly id: string;
  readonly at: Date;
  readonly news: PaymentNews;
};

/** By lower-case name. */
export type EventHeaders = Readonly<Record<string, string>>;

/** The event was not signed by the provider, or too long ago. */
export class BadSignature extends Error {
  override readonly name = "BadSignature";
}

/** The provider did not do what it was asked for. Tried again later it may, unless `isFinal`. */
export class PaymentProviderFailed extends Error {
  override readonly name = "PaymentProviderFailed";
  readonly isFinal: boolean;
  constructor(message: string, options: ErrorOptions & { isFinal?: boolean } = {}) {
    super(message, options);
    this.isFinal = options.isFinal ?? false;
  }
}

/** Every method but readEvent rejects with PaymentProviderFailed, and may be repeated with the same arguments. */
export type PaymentProvider = {
  /** Path segment of its events, and stored with orders: it never changes. */
  readonly name: string;
  createCheckout(wanted: NewCheckout): Promise<Checkout>;
  /** What the provider knows of it now. */
  fetchCheckout(ref: string): Promise<Checkout>;
  /** It cannot be paid afterwards, unless it is answered as `paid`: then the payment was faster. */
  cancelCheckout(ref: string): Promise<Checkout>;
  /** Gives a payment back whole. A second time for the same payment changes nothing. */
  refund(wanted: { idempotencyKey: string; paymentRef: string }): Promise<void>;
  /** The page on which a person changes card and address; null where there is none. */
  createPortal(wanted: { accountId: string; returnUrl: string }): Promise<string | null>;
  /** At the end of the period that is paid, or now; `resume` takes the former back. */
  cancelSubscription(wanted: {
    ref: string;
    when: "period_end" | "now" | "resume";
  }): Promise<SubscriptionState>;
  /** Now with the unused time taken off, or from the next period on. */
  changeSubscription(wanted: {
    idempotencyKey: string;
    ref: string;
    item: { name: string; amountCents: number };
    currency: Currency;
    every: "month" | "year";
    when: "now" | "period_end";
  }): Promise<SubscriptionState>;
  /** Verifies and translates. Throws BadSignature. */
  readEvent(rawBody: Uint8Array, headers: EventHeaders): Promise<PaymentEvent>;
};

/** Those that this installation knows, by name. */
export type Payments = {
  readonly known: ReadonlyMap<string, PaymentProvider>;
  /** Who takes new orders; undefined: nothing that costs money can be bought here. */
  readonly current: PaymentProvider | undefined;
};
