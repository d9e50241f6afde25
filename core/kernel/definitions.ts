// Operators' definitions that every use case may read from its App: plans, tiers and models in their stored shapes, which the slices
// accounts, memberships and models store, and whether an operator has paused the queue, which the slice limits stores.
import type { Modality } from "../../proto/resources/job.ts";
import type { PriceUnit, Pricing } from "../../proto/resources/pricing.ts";

export type PlanDoc = {
  _id: string;
  name: string;
  /** The number of jobs that may run at the same time. */
  concurrency: number;
  /** Whether the plan includes the generation API. */
  api: boolean;
  monthly_credits: number;
  /** The price of a month; 0 is free. If absent, the plan is not sold. */
  price_cents?: number;
  order: number;
};

/** Updates: prices by operators, the rest by hand. Deletion: never. */
export type TierDoc = {
  _id: string;
  name: string;
  /** Whether it includes the member tools. */
  member_tools: boolean;
  /** Whether members of this tier can buy plus_only products. */
  plus_products: boolean;
  /** The discount of its members on every product, in percent. If absent, there is none. */
  discount_percent?: number;
  /** The prices of a month and of a year. If absent or 0, the tier is not sold for that period. */
  monthly_price_cents?: number;
  yearly_price_cents?: number;
  order: number;
};

/** Another provider that can make what a model makes, from the same params and at the same price. */
export type Fallback = {
  readonly provider: string;
  /** The provider's own name for the model. */
  readonly provider_model: string;
  readonly provider_options: Readonly<Record<string, unknown>>;
};

/** A provider's charge to the operator, in the same form as a price. */
export type CostRate = {
  /** ISO 4217. */
  readonly currency: string;
  readonly unit: PriceUnit;
  /** Millionths of the currency for one unit, if no rule applies. */
  readonly micros: number;
  readonly rules: readonly { readonly when: Readonly<Record<string, unknown>>; readonly micros: number }[];
};

/** The rate of one of the routes that can make what a model makes. */
export type RouteCost = Pick<Fallback, "provider" | "provider_model"> & { readonly rate: CostRate };

/**
 * One model: its price, what it may be asked to make, and which provider runs it.
 *
 * Updates: operators add (again), pause, resume and retire; seeding adds what is missing. Jobs copy the price at accept, so that a change
 * of price never touches a job that exists.
 * Deletion: never; a retired model stays readable for the jobs that name it.
 */
export type ModelDoc = {
  /** The slug. */
  _id: string;
  name: string;
  modality: Modality;
  description: string;
  /** The lowest price of one unit. */
  credits: number;
  per: PriceUnit;
  /** Absent from models that were added before prices depended on params: each of their units costs `credits`. */
  pricing?: Pricing;
  estimated_seconds: number;
  /** Counted in Unicode characters. */
  max_prompt_length: number;
  /** The JSON Schema of the params as text: this keeps its order and its `$` keys, and compiled validators are found by it. */
  params_schema_json: string;
  /** A paused model accepts nothing for the moment, and its jobs wait. */
  status: "live" | "paused" | "retired";
  provider: string;
  /** The provider's own name for the model. */
  provider_model: string;
  /** The longest time that one run may take, including all attempts. */
  run_timeout_ms: number;
  /** The provider's options in addition to prompt and params. */
  provider_options: Record<string, unknown>;
  /** The providers to call, in this order, if the first one fails or must not be called. If absent, there are none. */
  fallbacks?: readonly Fallback[];
  /**
   * What its routes cost the operator, as far as the operator has said; absent if nothing is known. Jobs do not copy it, because the cost
   * belongs to the call.
   */
  costs?: readonly RouteCost[];
  /** The position in lists, smallest first. */
  order: number;
  created_at: Date;
  updated_at: Date;
};

/** An operator has paused the queue: no waiting job starts. */
export type QueuePause = {
  readonly since: Date;
  /** Whether new requests are refused too; otherwise they are accepted and wait. */
  readonly refuses: boolean;
};
