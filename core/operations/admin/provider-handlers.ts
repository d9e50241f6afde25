// The part of the Admin service for providers and models: limits, pauses and failures.
import { toMessage, toMessages } from "../../../proto/codec.ts";
import { providerSchema } from "../../../proto/resources/provider.ts";
import type { AdminDefinition } from "../../../proto/types/atelier/v1/Admin.ts";
import type { ProviderInput } from "../../../proto/types/atelier/v1/Provider.ts";
import { recordWrite } from "../../identity/audit-trail/record-write.ts";
import type { App } from "../../kernel/app.ts";
import type { Handlers } from "../../kernel/rpc.ts";
import {
  listProviders,
  type ProviderState,
  setLimits,
  setPaused,
  toProvider,
} from "../../studio/limits/settings.ts";
import { countWaiting } from "../../studio/runs/admit.ts";

export function providerHandlers(app: App) {
  const answer = async (state: ProviderState): Promise<ProviderInput> =>
    toMessage(providerSchema, toProvider(state, await countWaiting(app)));
  return {
    ListProviders: async () => {
      const [states, waiting] = await Promise.all([listProviders(app), countWaiting(app)]);
      return {
        providers: toMessages(
          providerSchema,
          states.map((state) => toProvider(state, waiting)),
        ),
      };
    },

    SetProviderLimits: ({ provider, max_calls, max_calls_per_minute }, call) => {
      const limits = { ...limit({ max_calls }), ...limit({ max_calls_per_minute }) };
      const detail = Object.entries(limits)
        .map(([name, value]) => `${name} ${value ?? "none"}`)
        .join(", ");
      return recordWrite(app, call, { target: provider, detail }, async () =>
        answer(await setLimits(app, provider, limits)),
      );
    },

    PauseProvider: ({ provider }, call) =>
      recordWrite(app, call, { target: provider, count: inNumbers }, async () =>
        answer(await setPaused(app, provider, true)),
      ),

    ResumeProvider: ({ provider }, call) =>
      recordWrite(app, call, { target: provider, count: inNumbers }, async () =>
        answer(await setPaused(app, provider, false)),
      ),
  } satisfies Partial<Handlers<AdminDefinition>>;
}

/** The form of the audit trail. */
function inNumbers({ paused, jobs_waiting: waiting }: ProviderInput): string {
  return `${paused ? "paused" : "open"}; ${waiting} waiting for it`;
}

/** In messages, 0 removes a limit, and an absent one stays. */
function limit<Name extends string>(field: { [K in Name]?: number | undefined }): {
  [K in Name]?: number | null;
} {
  const given = Object.entries<number | undefined>(field).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, value === 0 ? null : value])) as {
    [K in Name]?: number | null;
  };
}
