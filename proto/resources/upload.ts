// Uploads as clients see them.
import { z } from "zod";
import { modalitySchema } from "./job.ts";

/** The most bytes that any upload may have: those of a video. */
export const MAX_UPLOAD_BYTES = 200 * 2 ** 20;

export const uploadSchema = z
  .object({
    upload_id: z.string().describe("The value of a param that takes a file."),
    kind: modalitySchema.describe("By its content."),
    mime_type: z.string(),
    bytes: z.number().int().describe("Of the file as it is kept: cleaned."),
    sha256: z.string().describe("Of the file as it is kept, in hex."),
    width: z.number().int().nullable(),
    height: z.number().int().nullable(),
    duration_seconds: z.number().nullable(),
    expires_at: z.iso.datetime().describe("When it is removed."),
  })
  .meta({ id: "Upload" });

export const uploadAddressSchema = z
  .object({
    upload_id: z.string().describe("The value of a param that takes a file, once the file is there."),
    method: z.string().describe("PUT."),
    url: z.url().describe("Takes the bytes of one file, once; needs no key."),
    headers: z.record(z.string(), z.string()).describe("To be sent with the file."),
    max_bytes: z.number().int().describe("Most bytes that it takes."),
    expires_at: z.iso.datetime().describe("When it ends."),
    finish_url: z
      .url()
      .nullable()
      .describe("POST there, with the key, once the file is sent; null where sending it is all."),
  })
  .meta({ id: "UploadAddress" });

const bytes = z.number().int().min(1).max(MAX_UPLOAD_BYTES);

export const uploadAddressRequestSchema = z
  .strictObject({ bytes: bytes.describe("Exactly how many bytes will be sent.") })
  .meta({ id: "UploadAddressRequest" });

export type UploadResource = z.output<typeof uploadSchema>;
export type UploadAddressResource = z.output<typeof uploadAddressSchema>;
