// The header Idempotency-Key, as every operation that creates a job declares it.
import { idempotencyKeySchema } from "../../proto/resources/job.ts";

export const idempotencyKeyHeader = idempotencyKeySchema
  .optional()
  .describe("Your own name for this request. Repeating the request with it never makes a second job.");
