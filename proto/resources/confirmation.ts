// What a key asks a person to confirm, as that person sees it.
import { z } from "zod";
import { generateRequestSchema, jobSchema } from "./job.ts";

/** What the person is not shown, because it does not change what is made. */
const { metadata: _metadata, max_credits: _maxCredits, ...asked } = generateRequestSchema.shape;

/** A job that is made if the person agrees. */
export const askedJobSchema = z.object({
  ...asked,
  params: jobSchema.shape.params,
  callback_url: z.string().nullable(),
});

export type AskedJob = z.output<typeof askedJobSchema>;

/** Another request that waits for approval. */
const waitingApprovalSchema = z.object({
  confirmation_id: z.string(),
  key_name: z.string(),
  credits: z.number().int(),
  what: z.string().describe("What it is for, in words."),
});

export const approvalSchema = z
  .object({
    confirmation_id: z.string(),
    state: z.enum(["asked", "yes", "no", "used"]).describe("used after a request passed with the approval."),
    key_id: z.string(),
    key_name: z.string(),
    credits: z.number().int().describe("Price of the request."),
    confirm_above: z.number().int().describe("Up to this amount the key needs no answer."),
    jobs: z.array(askedJobSchema).describe("The jobs to approve: one, or those of a workflow."),
    work: z.string().optional().describe("What another service asks for instead of jobs, in its words."),
    starts: z.boolean().optional().describe("An approval on the website starts it."),
    job_id: z.string().optional().describe("The job that the approval started."),
    workflow_id: z.string().optional().describe("The workflow that the approval started."),
    others: z.array(waitingApprovalSchema).optional().describe("Other requests that wait for approval."),
    key_ended: z.boolean().optional().describe("The key was revoked or has expired, so nothing starts."),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: "Confirmation" });

export type ApprovalResource = z.output<typeof approvalSchema>;
