// GET /api/jobs/{id}/outputs/{output_id}: the file itself, whole or in part, for a key or for whoever holds the signed URL.
import { z } from "zod";
import type { ReadOutputRequestInput } from "../../proto/types/atelier/v1/ReadOutputRequest.ts";
import type { GatewayApp, GatewayOptions } from "../gateway.ts";
import { callFor } from "../http/auth.ts";
import { declareOperation, type ResponseHeaderName } from "../openapi/operation.ts";
import { OUTPUT_TYPES, sendOutput } from "../answers/send-output.ts";
import { outputParams } from "../answers/job-params.ts";

const signedQuery = z.object({
  account: z.string().optional().describe("Part of a signed URL."),
  expires: z.string().optional().describe("Part of a signed URL: seconds since 1970 at which it ends."),
  signature: z.string().optional().describe("Part of a signed URL."),
});

const file = z.string().meta({ format: "binary" });
const FILE_HEADERS: ResponseHeaderName[] = ["Accept-Ranges", "Cache-Control", "Content-Disposition", "ETag"];

export function outputRoutes(app: GatewayApp, { core, config }: GatewayOptions): void {
  app.get(
    "/api/jobs/:id/outputs/:output_id",
    {
      config: { access: { by: "key-or-signature", scope: "read", limit: "api" }, envelope: true },
      schema: {
        params: outputParams,
        querystring: signedQuery,
        ...declareOperation({
          operationId: "getOutput",
          summary: "Fetch a file",
          description:
            "The file of one output, with the key of its account or by the signed URL of the job record. One range of bytes can be asked for; HEAD answers the headers alone. At most 50 files of an account are read at a time; one more is rate_limited. A reader who takes nothing for 30 seconds is cut off.",
          tag: "Outputs",
          security: "key-or-signature",
          success: {
            200: {
              description: "The whole file.",
              schema: file,
              contentTypes: OUTPUT_TYPES,
              headers: FILE_HEADERS,
            },
            206: {
              description: "The range asked for.",
              schema: file,
              contentTypes: OUTPUT_TYPES,
              headers: [...FILE_HEADERS, "Content-Range"],
            },
          },
          bodiless: {
            304: {
              description: "You have it already: the ETag in If-None-Match is right.",
              headers: ["ETag"],
            },
          },
          errors: ["not_found", "job_not_found", "range_not_satisfiable"],
        }),
      },
    },
    async (request, reply) => {
      const { id: job_id, output_id } = request.params;
      const asked = { job_id, output_id, ...signedAccess(request.query) };
      return sendOutput(request, reply, { core, config, call: callFor(request), asked });
    },
  );
}

function signedAccess({
  account = "",
  expires = "",
  signature,
}: z.output<typeof signedQuery>): Pick<ReadOutputRequestInput, "signed"> {
  if (signature === undefined) return {};
  // What is not a number was not signed by us: 0 has expired, so core answers it like any other wrong signature.
  return { signed: { account, expires: /^\d{1,15}$/.test(expires) ? Number(expires) : 0, signature } };
}
