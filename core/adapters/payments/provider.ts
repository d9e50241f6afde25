// The interface of a payment provider's adapter. Only the adapter knows the provider's own terms.
export type Currency = "usd";

/** A paid period. Periods follow each other without a gap: the next one begins where this one ends. */
export type Period = { readonly from: Date; readonly until: Date };

/** Money that a provider took. */
export type Payment = {
  /** The provider's own id, unique within the provider. */
  readonly ref: string;
  /** The whole amount, including tax. */
  readonly amountCents: number;
  readonly taxCents: number;
  /** Lower case; it may be a currency that the service does not sell in. */
  readonly currency: string;
  readonly at: Date;
  /** The period that it pays for, if it is for a subscription. */
  readonly period?: Period | undefined;
};

export type NewCheckout = {
  /** The same key returns the same checkout again. */
  readonly idempotencyKey: string;
  readonly orderId: string;
  readonly accountId: string;
  readonly email: string;
  readonly items: readonly { readonly name: string; readonly amountCents: number }[];
  readonly currency: Currency;
  /** Paid once, or at the start of each period until the subscription ends. */
  readonly every: "once" | "month" | "year";
  /** Our own id of the subscription that it begins; all events of the subscription repeat it. */
  readonly subscriptionId?: string | undefined;
  /** The page to which the buyer returns, paid or not. Only events report the outcome. */
  readonly returnUrl: string;
  /** When it can no longer be paid. A provider may support only shorter times. */
  readonly expiresAt: Date;
  /** When it was first requested. A repeat has the same time, so that it requests exactly the same. */
  readonly at: Date;
};

/** open: it may still be paid. pending: the buyer has paid, and the bank takes days to confirm. The others are final. */
export type CheckoutState = "open" | "pending" | "paid" | "declined" | "expired" | "cancelled";

/** Where a person pays for one order. */
export type Checkout = {
  readonly ref: string;
  readonly state: CheckoutState;
  /** The page to pay on; null if it cannot be paid any more. */
  readonly url: string | null;
  readonly payment: Payment | null;
  /** The subscription of a checkout that is paid by the period, once it is paid. */
  readonly subscriptionRef: string | null;
};

/** A checkout that can be paid, and the order that it was made for. */
export type OpenCheckout = { readonly ref: string; readonly orderId: string };

/** The subscription, by the provider's id, and by the local id of its checkout; null if the provider does not report it. */
export type SubscriptionInfo = { readonly subscriptionRef: string; readonly subscriptionId: string | null };

/** The price of a period: in cents, and its length in the provider's terms, `month` or `year` if the service created it. */
type PeriodPrice = { readonly amountCents: number; readonly every: string };

/** A subscription as it is at the provider. */
export type ProviderSubscription = {
  readonly hasEnded: boolean;
  readonly paidUntil: Date;
  /** Ends with the paid period. */
  readonly endsThen: boolean;
  readonly price: PeriodPrice;
  /** The price from the next period on, if a change is planned. */
  readonly nextPrice: PeriodPrice | null;
};

type CheckoutInfo = {
  readonly checkoutRef: string;
  /** The id that the checkout was made with; null if the provider does not say. */
  readonly orderId: string | null;
  readonly accountId: string | null;
};

/** A provider's event, in the service's terms. */
export type PaymentEventBody =
  | (CheckoutInfo & {
      readonly kind: "paid";
      readonly payment: Payment;
      readonly subscriptionRef: string | null;
    })
  | (CheckoutInfo & { readonly kind: "declined" | "expired" })
  /** `amountCents` is everything that was refunded of the payment so far. */
  | {
      readonly kind: "refunded";
      readonly paymentRef: string;
      readonly amountCents: number;
      readonly isWhole: boolean;
    }
  | { readonly kind: "dispute_opened" | "dispute_won" | "dispute_lost"; readonly paymentRef: string }
  /** The next period of a subscription is paid. Its first period is reported by `paid`. */
  | (SubscriptionInfo & {
      readonly kind: "renewed";
      readonly payment: Payment & { readonly period: Period };
    })
  /** The payment for the next period failed. The provider retries automatically, and reports each attempt. */
  | (SubscriptionInfo & { readonly kind: "renewal_failed" })
  /**
   * Paid for a change within a period. `priceCents` is the price of the period that it begins, before anything is taken off; undefined if
   * the provider does not say.
   */
  | (SubscriptionInfo & {
      readonly kind: "change_paid";
      readonly payment: Payment;
      readonly priceCents?: number | undefined;
    })
  /** The current state, whatever has changed; it may be unchanged. */
  | (SubscriptionInfo &
      Pick<ProviderSubscription, "paidUntil" | "endsThen"> & { readonly kind: "subscription_changed" })
  /** It has ended, and nothing more is paid. */
  | (SubscriptionInfo & { readonly kind: "subscription_ended" })
  /** An event that is ignored. */
  | { readonly kind: "other"; readonly what: string };

export type PaymentEvent = {
  /** The provider's own id; an event that is sent again has the same. */
  readonly id: string;
  readonly at: Date;
  readonly news: PaymentEventBody;
};

/** The headers by lower-case name. */
export type EventHeaders = Readonly<Record<string, string>>;

/** The event was not signed by the provider, or too long ago. */
export class BadSignature extends Error {
  override readonly name = "BadSignature";
}

/**
 * away: it did not answer, or cannot now; later it may. setup: it does not accept this installation, so that someone has to fix that.
 * declined: the bank does not pay. refused: it will not do this at all.
 */
export type PaymentProviderFailure = "away" | "setup" | "declined" | "refused";

/** The provider did not do what it was asked. Unless `isFinal`, it may do so later. */
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
  /** The path segment of its events, which is stored with orders: it never changes. */
  readonly name: string;
  createCheckout(wanted: NewCheckout): Promise<Checkout>;
  /** The current state at the provider. */
  fetchCheckout(ref: string): Promise<Checkout>;
  /** It cannot be paid afterwards, unless the result is `paid`: then the payment was faster. */
  cancelCheckout(ref: string): Promise<Checkout>;
  /** All checkouts of this installation that can be paid now. */
  listOpenCheckouts(): Promise<OpenCheckout[]>;
  /** Refunds a payment in full. A second call for the same payment changes nothing. */
  refund(wanted: { idempotencyKey: string; paymentRef: string }): Promise<void>;
  /** The page on which a person changes card and address; null if there is none. */
  createPortal(wanted: { accountId: string; returnUrl: string }): Promise<string | null>;
  /** The current state at the provider; null if it does not know the subscription. */
  readSubscription(ref: string): Promise<ProviderSubscription | null>;
  /** Cancels at the end of the paid period, or now; `resume` takes the former back. A repeat changes nothing. */
  cancelSubscription(wanted: {
    idempotencyKey: string;
    ref: string;
    when: "period_end" | "now" | "resume";
  }): Promise<void>;
  /**
   * Changes now: a new period begins, with credit for unused time, and is either paid immediately or not made. Or changes from the next
   * period on.
   */
  changeSubscription(wanted: {
    idempotencyKey: string;
    ref: string;
    item: { name: string; amountCents: number };
    currency: Currency;
    every: "month" | "year";
    when: "now" | "period_end";
  }): Promise<void>;
  /** Verifies and translates; it may ask the provider for what the event leaves out. Rejects with BadSignature too. */
  readEvent(rawBody: Uint8Array, headers: EventHeaders): Promise<PaymentEvent>;
};

/** The providers that this installation knows, by name. */
export type Payments = {
  readonly known: ReadonlyMap<string, PaymentProvider>;
  /** The provider that takes new orders; undefined: nothing that costs money can be bought here. */
  readonly current: PaymentProvider | undefined;
};

/** Throws PaymentProviderFailed if it is no longer configured here. */
export function knownProvider({ known }: Payments, name: string | null): PaymentProvider {
  const provider = known.get(name ?? "");
  if (!provider) throw new PaymentProviderFailed(`the provider ${name ?? ""} is not set up here`);
  return provider;
}
