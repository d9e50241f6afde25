// A provider as its operators see it.
import type { ProviderResource } from "../../../proto/resources/provider.ts";
import type { ProviderState } from "./settings.ts";

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
