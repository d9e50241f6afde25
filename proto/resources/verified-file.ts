// What the Content Credentials of a file say, and whether they are valid. Anyone who has the file may ask.
import { z } from "zod";
import { verifiedOutputSchema } from "./verified-output.ts";

const MIB = 2 ** 20;

/** The largest file that is verified. */
export const MAX_VERIFIED_BYTES = 128 * MIB;
/** A larger one waits for memory, which one at a time has. */
export const SMALL_VERIFIED_BYTES = 4 * MIB;

export const CREDENTIALS_STATES = ["valid", "other_issuer", "invalid", "none"] as const;
export type CredentialsState = (typeof CREDENTIALS_STATES)[number];

const issuerSchema = z
  .object({
    name: z.string().nullable().describe("The name in the certificate, as its owner wrote it."),
    organization: z.string().nullable(),
    is_this_service: z
      .boolean()
      .describe(
        "Whether the certificate is one of this service's own. Judged by the certificate, not by its name.",
      ),
    is_trusted: z
      .boolean()
      .describe(
        "Whether an authority vouches for the certificate that this service trusts: its own, or one of a trust list that the operator has configured.",
      ),
    is_self_made: z
      .boolean()
      .nullable()
      .describe(
        "For this service's own certificate: whether its authority is the operator's own, on no trust list that is configured here, so that other software calls the issuer unknown. Null for the certificate of another issuer.",
      ),
  })
  .meta({ id: "CredentialsIssuer" });

const originSchema = z
  .object({
    job_id: z.string(),
    model_slug: z.string(),
    output_index: z.number().int(),
    ledger_entry_id: z.string().nullable(),
    ledger_entry_hash: z.string().nullable(),
  })
  .meta({ id: "CredentialsOrigin" });

const ingredientSchema = z
  .object({
    title: z.string().nullable(),
    relationship: z.string().describe("parentOf, componentOf or inputTo, as C2PA defines them."),
    mime_type: z.string().nullable(),
    state: z.enum(["valid", "invalid", "none"]).describe("Of the ingredient's own Content Credentials."),
  })
  .meta({ id: "CredentialsIngredient" });

const problemSchema = z
  .object({
    code: z.string().describe("The status code of C2PA, or unreadable."),
    message: z.string().describe("The same in plain words."),
  })
  .meta({ id: "CredentialsProblem" });

export const verifiedFileSchema = z
  .object({
    state: z
      .enum(CREDENTIALS_STATES)
      .describe(
        "valid: signed by this service and unchanged. other_issuer: signed by someone else and unchanged. invalid: the file or its credentials were changed, or cannot be read. none: the file carries no credentials.",
      ),
    sha256: z.string().describe("SHA-256 of the file that was sent."),
    bytes: z.number().int(),
    mime_type: z.string().describe("Told by the content of the file."),
    signature_valid: z.boolean().nullable().describe("Null where there is no signature to check."),
    bytes_match: z
      .boolean()
      .nullable()
      .describe("Whether the file's bytes are those that were signed. Null where that could not be checked."),
    issuer: issuerSchema.nullable(),
    generator: z.string().nullable().describe("The software that wrote the credentials."),
    digital_source_type: z.string().nullable().describe("A term of the IPTC's vocabulary, as an address."),
    origin: originSchema
      .nullable()
      .describe("The job that made the file. Only from credentials that this service has signed."),
    ledger_agrees: z
      .boolean()
      .nullable()
      .describe(
        "Whether the ledger has the entry of `origin` with the same hash. Null where there is nothing to compare.",
      ),
    ingredients: z.array(ingredientSchema).describe("The files that this one was made from; at most 20."),
    problems: z.array(problemSchema).describe("Why the credentials do not hold; at most 20."),
    record: verifiedOutputSchema,
  })
  .meta({ id: "VerifiedFile" });

export type VerifiedFile = z.output<typeof verifiedFileSchema>;
