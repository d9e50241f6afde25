// The document of a job that is accepted: the request, what its model says at this moment, and its drawn values.
import { countedAt } from "../../identity/accounts/cap-rules.ts";
import type { Identity } from "../../identity/accounts/rules.ts";
import { seedParams } from "../models/params.ts";
import type { AcceptRequest, Checked } from "./check-request.ts";
import { queueDeadline } from "./rules.ts";
import { fillRequest } from "./same-request.ts";
import type { JobDoc } from "./store.ts";

/** Drawn before the transaction, once, however often that is tried. */
export type Drawn = {
  readonly jobId: string;
  /** For a model that takes a seed and a request that names none. */
  readonly drawnSeed: number;
};

/** For a job that is a step of a workflow. */
export type StepOf = { readonly workflowId: string; readonly waitsForOthers: boolean };

type Wanted = Omit<AcceptRequest, "idempotencyKey"> & Drawn & { readonly stepOf?: StepOf };

/** The job before it has any event: acceptJob holds its price and writes the first one. */
export function newJob(
  { caller, request, jobId, drawnSeed, inputs, span, retryOf, stepOf }: Wanted,
  identity: Identity,
  checked: Checked,
  at: Date,
): JobDoc {
  const { model, params, credits, pricedBy } = checked;
  const seeded = seedParams(model, params, drawnSeed);
  return {
    _id: jobId,
    account_id: identity.account._id,
    key_id: identity.key?.key_id ?? null,
    source: caller.kind === "none" ? "system" : caller.source,
    ...fillRequest(request),
    params: seeded ?? params,
    ...(seeded && { seed_drawn: true }),
    ...(inputs && { inputs }),
    ...(span?.isSampled && { trace: span.traceparent }),
    ...(retryOf !== undefined && { retry_of: retryOf }),
    ...(stepOf && { workflow_id: stepOf.workflowId }),
    provider: model.provider,
    provider_model: model.provider_model,
    provider_options: model.provider_options,
    ...(model.fallbacks && { fallbacks: model.fallbacks }),
    credits,
    priced_by: pricedBy,
    ...(identity.limit && { counted_on: countedAt(identity.limit.key, at) }),
    ...(identity.account.events_on && { events_on: true }),
    estimated_seconds: model.estimated_seconds,
    run_timeout_ms: model.run_timeout_ms,
    state: "reserved",
    version: 0,
    events: [],
    created_at: at,
    queue_deadline: stepOf?.waitsForOthers ? null : queueDeadline(at, request),
    started_at: null,
    ended_at: null,
    epoch: 0,
    lease: null,
    rescues: 0,
    outputs: [],
    error: null,
  };
}
