// The job, and the output of it, that a path names. A malformed id is answered like an unknown one.
import { z } from "zod";
import { missingThings } from "../zod-schemas.ts";

const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

export const jobParams = z.object({
  id: id.describe("The job_id of the generate answer.").register(missingThings, { code: "job_not_found" }),
});
export const outputParams = jobParams.extend({
  output_id: id.describe("The output_id of the job's output.").register(missingThings, { code: "not_found" }),
});
