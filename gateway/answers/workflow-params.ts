// The workflow that a path names. A malformed id is answered like an unknown one.
import { z } from "zod";
import { missingThings } from "../http/zod-schemas.ts";

export const workflowParams = z.object({
  workflow_id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .describe("The workflow_id of the response to its request.")
    .register(missingThings, { code: "workflow_not_found" }),
});
