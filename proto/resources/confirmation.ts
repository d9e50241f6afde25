// What a key asks a person to confirm, as that person sees it.
import { z } from "zod";
import { jobSchema } from "./job.ts";

export const approvalSchema = z
  .object({
    confirmation_id: z.string(),
    state: z.enum(["asked", "yes", "no", "used"]).describe("used once a request went through by the yes."),
    key_id: z.string(),
    key_name: z.string(),
    credits: z.number().int().describe("What the request costs."),
    confirm_above: z.number().int().describe("Up to this amount the key needs no answer."),
    jobs: z
      .array(
        z.object({
          modality: z.string(),
          model_slug: z.string(),
          prompt: z.string(),
          params: jobSchema.shape.params,
          callback_url: z.string().nullable(),
        }),
      )
      .describe("What would be made: one job, or those of a workflow."),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: "Confirmation" });

export type ApprovalResource = z.output<typeof approvalSchema>;
