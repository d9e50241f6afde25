// Whether the service made a file. Anyone who has the file's digest may ask.
import { z } from "zod";
import { modalitySchema } from "./job.ts";

/** A digest as tools print it; upper case is accepted too. */
export const sha256Schema = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[0-9a-f]{64}$/, "must be the 64 hex digits of a SHA-256");

export const verifiedOutputSchema = z
  .object({
    made: z
      .boolean()
      .describe(
        "Whether a job here made a file of exactly these bytes. False once the time to keep it is over.",
      ),
    made_at: z.iso.datetime().nullable().describe("When its job ended."),
    modality: modalitySchema.nullable(),
    model_slug: z.string().nullable(),
    ledger_entry_hash: z
      .string()
      .nullable()
      .describe("Of the ledger entry that paid for it, by which its owner can show that it is theirs."),
  })
  .meta({ id: "VerifiedOutput" });

export type VerifiedOutput = z.output<typeof verifiedOutputSchema>;
