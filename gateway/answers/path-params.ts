// The job, output or workflow that a path names, and the event after which to start. A malformed id is answered like an unknown one.
import { z } from "zod";
import { MAX_EVENT_SEQ } from "../../proto/resources/page.ts";
import { queryInteger } from "../http/query.ts";
import { missingThings } from "../http/zod-schemas.ts";

const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

export const jobParams = z.object({
  id: id.describe("The job_id of the generate answer.").register(missingThings, { code: "job_not_found" }),
});
export const outputParams = jobParams.extend({
  output_id: id.describe("The output_id of the job's output.").register(missingThings, { code: "not_found" }),
});
export const inputParams = jobParams.extend({
  param: id.describe("The param that names the file.").register(missingThings, { code: "not_found" }),
});

const seq = queryInteger(0, MAX_EVENT_SEQ);

export const watchQuery = z.object({
  after: seq.optional().meta({ description: "Start after this seq. Last-Event-ID goes before it." }),
});
export const watchHeaders = z.looseObject({
  "last-event-id": seq.optional().meta({ description: "The id of the last event that was received." }),
});

export const workflowParams = z.object({
  workflow_id: id
    .describe("The workflow_id of the response to its request.")
    .register(missingThings, { code: "workflow_not_found" }),
});
