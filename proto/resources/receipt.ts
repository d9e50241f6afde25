// A signed receipt: what its payload says of a job.
import { z } from "zod";
import { LEDGER_KINDS } from "./credits.ts";
import { JOB_STATES, modalitySchema } from "./job.ts";
import { openEnum } from "./open-enum.ts";

/** `typ` of its header. */
export const RECEIPT_TYPE = "atelier-receipt+jws";
/** Where its public keys are, below `iss`. */
export const RECEIPT_KEYS_PATH = "/.well-known/jwks.json";

/** The same for the same state of a job. Names the ledger by hashes, and neither the prompt nor the account. */
export const receiptPayloadSchema = z
  .object({
    iss: z.url().describe("The service. Its keys are at /.well-known/jwks.json below it."),
    iat: z.number().int().describe("When the job came to this state, in seconds since 1970."),
    job_id: z.string(),
    version: z.number().int().describe("The number of the job's events."),
    state: openEnum(JOB_STATES),
    modality: modalitySchema,
    model: z.string(),
    provider: z.string(),
    request_sha256: z
      .string()
      .describe(
        "SHA-256 of metadata, modality, model_slug, params and prompt of the job, as RFC 8785 writes them.",
      ),
    credits: z
      .object({
        reserved: z.number().int(),
        captured: z.number().int(),
        refunded: z.number().int(),
      })
      .meta({ id: "ReceiptCredits" }),
    entries: z.array(
      z
        .object({
          entry_id: z.string(),
          seq: z.number().int(),
          kind: openEnum(LEDGER_KINDS),
          hash: z.string(),
        })
        .meta({ id: "ReceiptEntry" }),
    ),
    outputs: z.array(z.object({ output_id: z.string(), sha256: z.string() }).meta({ id: "ReceiptOutput" })),
  })
  .meta({ id: "ReceiptPayload" });

export type ReceiptPayload = z.output<typeof receiptPayloadSchema>;

export const receiptSchema = z
  .object({
    receipt: z
      .string()
      .nullable()
      .describe(
        "A JWS (RFC 7515) of the job in its state now. The same for the same state and key. null where the service has no key to sign with.",
      ),
    payload: receiptPayloadSchema
      .nullable()
      .describe("What the receipt says, to read. Only the receipt proves it."),
  })
  .meta({ id: "Receipt" });
