// Providers as their operators see them.
import { z } from "zod";

export const providerSchema = z.object({
  provider: z.string(),
  /** Whether the core that answers has this provider. */
  configured: z.boolean(),
  paused: z.boolean(),
  max_calls: z.int32().nullable(),
  max_calls_per_minute: z.int32().nullable(),
  /** Calls in progress, and calls that began in the last minute; counted only if there is a limit. */
  calls: z.int32().nullable(),
  calls_last_minute: z.int32().nullable(),
  jobs_waiting: z.int32(),
});

export type ProviderResource = z.output<typeof providerSchema>;
