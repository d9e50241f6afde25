// What operators define and every use case may ask its App for: plans, tiers and models, in their stored shapes. The slices accounts,
// memberships and models store them. With them, whether an operator has paused the queue, which the slice gates stores.
import type { Modality } from "../../proto/resources/job.ts";
import type { PriceUnit, Pricing } from "../../proto/resources/pricing.ts";

export type PlanDoc = {
  _id: string;
  name: string;
  /** Jobs that run at a time. */
  concurrency: number;
  /** Whether the plan includes the generation API. */
  api: boolean;
  monthly_credits: number;
  /** The price of a month; 0 is free. Absent: the plan is not sold. */
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
  /** What its members pay less for every product, in percent. Absent: nothing. */
  discount_percent?: number;
  /** The prices of a month and of a year. Absent: the tier is not sold for that period. */
  monthly_price_cents?: number;
  yearly_price_cents?: number;
  order: number;
};

/** Who else can make what a model makes, from the same params and at the same price. */
export type Fallback = {
  readonly provider: string;
  /** The provider's own name of the model. */
  readonly provider_model: string;
  readonly provider_options: Readonly<Record<string, unknown>>;
};

/** What a provider charges the operator, in the same form as a price. */
export type CostRate = {
  /** ISO 4217. */
  readonly currency: string;
  readonly unit: PriceUnit;
  /** Millionths of the currency for one unit, where no rule applies. */
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
  /** Absent from models that nobody has added since prices depend on params: each unit of theirs costs `credits`. */
  pricing?: Pricing;
  estimated_seconds: number;
  /** In Unicode characters. */
  max_prompt_length: number;
  /** JSON Schema of params, as text: it keeps its order and its `$` keys, and compiled validators are found by it. */
  params_schema_json: string;
  /** A paused model accepts nothing for the moment, and its jobs wait. */
  status: "live" | "paused" | "retired";
  provider: string;
  /** The provider's own name of the model. */
  provider_model: string;
  /** The longest that one run may take, all tries together. */
  run_timeout_ms: number;
  /** What the provider gets beside prompt and params. */
  provider_options: Record<string, unknown>;
  /** Whom to call, in this order, if the provider fails or may not be called. Absent: nobody. */
  fallbacks?: readonly Fallback[];
  /** What its routes cost the operator, as far as the operator has said; absent if nothing. Jobs do not keep it: a call costs what it costs. */
  costs?: readonly RouteCost[];
  /** Place in lists, smallest first. */
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
