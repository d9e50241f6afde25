// The parts of Stripe's objects that the adapter reads.
import type { Form } from "./form.ts";

export type Charge = {
  id: string;
  created: number;
  amount: number;
  amount_refunded: number;
  refunded: boolean;
  payment_intent: string;
};
export type Intent = { id: string; amount: number; status: string; latest_charge: Charge | null };
export type Session = {
  id: string;
  object: "checkout.session";
  mode: string;
  status: "open" | "complete" | "expired";
  payment_status: "unpaid" | "paid";
  url: string | null;
  client_reference_id: string;
  metadata: Form;
  subscription_metadata: Form;
  created: number;
  expires_at: number;
  interval: string;
  net: number;
  tax: boolean;
  currency: string;
  amount_total: number | null;
  total_details: { amount_tax: number } | null;
  payment_intent: string | null;
  invoice: string | null;
  subscription: string | null;
};
export type Price = { id: string; unit_amount: number; recurring: { interval: string } };
export type Item = {
  id: string;
  price: Price;
  current_period_start: number;
  current_period_end: number;
};
export type Subscription = {
  id: string;
  object: "subscription";
  status: "active" | "past_due" | "canceled";
  created: number;
  ended_at: number | null;
  cancel_at_period_end: boolean;
  schedule: string | null;
  metadata: Form;
  latest_invoice: string;
  items: { data: [Item] };
};
export type Invoice = {
  id: string;
  object: "invoice";
  billing_reason: string;
  status: "open" | "paid";
  created: number;
  currency: string;
  total: number;
  amount_paid: number;
  total_taxes: { amount: number }[];
  status_transitions: { paid_at: number | null };
  parent: { subscription_details: { subscription: string; metadata: Form } };
  lines: object;
  payments: { data: object[] };
};
export type Schedule = { id: string; subscription: string; phases: Form[] };
export type StripeEvent = { id: string; type: string; created: number; data: { object: object } };

export class Refused extends Error {
  readonly status: number;
  readonly facts: Record<string, unknown>;
  constructor(status: number, message: string, facts: Record<string, unknown> = {}) {
    super(message);
    this.status = status;
    this.facts = facts;
  }
}
