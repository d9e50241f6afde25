// The tool create_upload: returns an address to send a file to, which a later connect_generate then names.
import { z } from "zod";
import { fromMessage } from "../../proto/codec.ts";
import { uploadAddressRequestSchema, uploadAddressSchema } from "../../proto/resources/upload.ts";
import { defineTool } from "../protocol/tool.ts";

export const createUpload = defineTool({
  name: "create_upload",
  title: "Get an address to upload a file to",
  endpoints: ["generation"],
  description: [
    "For params that take a file: list_models shows them with format atelier-input.",
    "Answers an address that takes one file, once, within 15 minutes, without a key: curl -T FILE 'URL'.",
    "Then pass the upload_id as that param. Costs nothing; files are kept for some days.",
    "An output_id of an earlier job or an https address needs no upload.",
  ].join(" "),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    bytes: uploadAddressRequestSchema.shape.bytes
      .optional()
      .describe("The file's size, and the most that is taken."),
  }),
  output: uploadAddressSchema.pick({
    upload_id: true,
    method: true,
    url: true,
    max_bytes: true,
    expires_at: true,
  }),
  async handle({ bytes = 0 }, { core, call }) {
    const reply = await core.uploads.CreateUploadAddress({ bytes, direct: false }, call);
    const address = fromMessage(uploadAddressSchema, reply);
    const { upload_id, url, expires_at } = address;
    return {
      text: [
        `Upload ${upload_id}: send the file by ${expires_at} with one PUT, for example:`,
        `curl -T FILE '${url}'`,
        `Next: call connect_generate with ${upload_id} as the param that takes the file.`,
      ].join("\n"),
      structured: address,
    };
  },
});
