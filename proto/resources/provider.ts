// Providers as their operators see them.
import { z } from "zod";

const breakerSchema = z.object({
  /** The provider's own name of the model. */
  model: z.string(),
  state: z.enum(["closed", "open", "half_open"]),
  /** How often it has opened since it was last closed. */
  openings: z.int32(),
  /** While it is open: when it is tried again. */
  until: z.string().nullable(),
  /** While it is closed: calls of the last minute that failed. */
  failed: z.int32(),
});

export const providerSchema = z.object({
  provider: z.string(),
  /** Whether the core that answers has this provider. */
  configured: z.boolean(),
  paused: z.boolean(),
  max_calls: z.int32().nullable(),
  max_calls_per_minute: z.int32().nullable(),
  /** Calls under way, and calls begun in the last minute; counted only where there is a limit. */
  calls: z.int32().nullable(),
  calls_last_minute: z.int32().nullable(),
  jobs_waiting: z.int32(),
  /** The breakers of models that have failed lately. */
  breakers: z.array(breakerSchema),
});

export type ProviderResource = z.output<typeof providerSchema>;
