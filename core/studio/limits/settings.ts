// The operators' settings of a provider, and what they see of all providers.
import { z } from "zod";
import { AppError } from "../../../proto/codes.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import type { ProviderResource } from "../../../proto/resources/provider.ts";
import type { ReadContext } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { begunLately } from "./permit-rules.ts";
import {
  findPausedProviders,
  findProvider,
  findProviders,
  type ProviderChange,
  type ProviderDoc,
  saveProvider,
} from "./store.ts";

/** All permits of a provider are in one document. */
const MAX_CALLS = 1_000;
const MAX_CALLS_PER_MINUTE = 100_000;

const limit = (max: number) => z.number().int().min(1).max(max).nullable().optional();

const limitsSchema = z.strictObject({
  max_calls: limit(MAX_CALLS),
  max_calls_per_minute: limit(MAX_CALLS_PER_MINUTE),
});

export type ProviderState = {
  readonly provider: string;
  /** Whether this process has the provider. */
  readonly isConfigured: boolean;
  readonly isPaused: boolean;
  readonly maxCalls: number | undefined;
  readonly maxCallsPerMinute: number | undefined;
  /** Calls in progress; counted only if there is a limit. */
  readonly calls: number | undefined;
  /** Calls that began in the last minute; counted only if there is a limit. */
  readonly callsLastMinute: number | undefined;
};

type SettingsApp = Pick<App, "mongo" | "clock" | "providers">;

/** Null removes a limit; what is left out stays. Throws invalid_request, and not_found for an unknown provider. */
export async function setLimits(
  app: SettingsApp,
  provider: string,
  limits: z.input<typeof limitsSchema>,
): Promise<ProviderState> {
  const { max_calls, max_calls_per_minute } = parseRequest(limitsSchema, limits);
  return change(app, provider, {
    ...(max_calls !== undefined && { max_calls }),
    ...(max_calls_per_minute !== undefined && { max_calls_per_minute }),
  });
}

/** Pausing twice changes nothing, nor does resuming a provider that is not paused. Throws not_found. */
export async function setPaused(app: SettingsApp, provider: string, paused: boolean): Promise<ProviderState> {
  return change(app, provider, { paused });
}

/** The providers that are configured here, and those with any setting, by name. */
export async function listProviders(app: SettingsApp): Promise<ProviderState[]> {
  const stored = await findProviders(app.mongo.db);
  const names = [...app.providers.keys(), ...stored.map(({ _id }) => _id)];
  const byName = new Map(stored.map((doc) => [doc._id, doc]));
  return [...new Set(names)].sort().map((name) => stateOf(app, name, byName.get(name)));
}

/** The names of paused providers. Reads inside the transaction if there is one. */
export async function pausedProviders(
  { mongo }: Pick<App, "mongo">,
  tx?: ReadContext,
): Promise<ReadonlySet<string>> {
  return new Set(await findPausedProviders(mongo.db, tx));
}

async function change(app: SettingsApp, name: string, wanted: ProviderChange): Promise<ProviderState> {
  const { db } = app.mongo;
  if (!app.providers.has(name) && !(await findProvider(db, name))) {
    throw new AppError("not_found", {
      message: `There is no provider ${JSON.stringify(name)}; there are ${[...app.providers.keys()].join(", ")}.`,
    });
  }
  const stored = await saveProvider(db, name, wanted, app.clock.now());
  return stateOf(app, name, stored);
}

function stateOf(
  { providers, clock }: SettingsApp,
  provider: string,
  stored: ProviderDoc | undefined,
): ProviderState {
  const nowMs = clock.now().getTime();
  const counts = stored?.max_calls !== undefined || stored?.max_calls_per_minute !== undefined;
  return {
    provider,
    isConfigured: providers.has(provider),
    isPaused: stored?.paused === true,
    maxCalls: stored?.max_calls,
    maxCallsPerMinute: stored?.max_calls_per_minute,
    calls: counts ? stored?.places.length : undefined,
    callsLastMinute: counts && stored ? begunLately(stored, nowMs) : undefined,
  };
}

/** `waiting` says how many jobs wait, by provider. */
export function toProvider(state: ProviderState, waiting: ReadonlyMap<string, number>): ProviderResource {
  return {
    provider: state.provider,
    configured: state.isConfigured,
    paused: state.isPaused,
    max_calls: state.maxCalls ?? null,
    max_calls_per_minute: state.maxCallsPerMinute ?? null,
    calls: state.calls ?? null,
    calls_last_minute: state.callsLastMinute ?? null,
    jobs_waiting: waiting.get(state.provider) ?? 0,
  };
}
