// GET /api/outputs/verify: whether the service made a file, for anyone who has its digest.
import { z } from "zod";
import type { CoreClient } from "../../proto/client.ts";
import { fromMessage } from "../../proto/codec.ts";
import { sha256Schema, verifiedOutputSchema } from "../../proto/resources/verified-output.ts";
import { resultOf, toResult } from "../answers/result.ts";
import type { GatewayApp } from "../gateway.ts";
import { callFor, PUBLIC } from "../http/auth.ts";
import { VERIFIED_OUTPUT } from "../openapi/examples.ts";
import { declareOperation } from "../openapi/operation.ts";

export function verifyOutputRoute(app: GatewayApp, core: CoreClient): void {
  app.get(
    "/api/outputs/verify",
    {
      config: { access: PUBLIC, envelope: true },
      schema: {
        querystring: z.object({ sha256: sha256Schema.describe("SHA-256 of the file, in hex.") }),
        ...declareOperation({
          operationId: "verifyOutput",
          summary: "Tell whether the service made a file",
          description:
            "Whether a job made a file of exactly these bytes, when, and by which model. Needs no key, and tells neither whose it is nor what was asked for. A file is known for as long as it is kept, which is 30 days.",
          tag: "Jobs",
          security: "none",
          errors: ["invalid_request"],
          success: {
            200: {
              description: "Whether it was made here.",
              schema: resultOf(verifiedOutputSchema),
              headers: ["Cache-Control"],
              example: toResult(VERIFIED_OUTPUT),
            },
          },
        }),
      },
    },
    async (request, reply) => {
      const { sha256 } = request.query;
      const verified = await core.jobs.VerifyOutput({ sha256 }, callFor(request));
      return reply
        .header("cache-control", "no-cache")
        .send(toResult(fromMessage(verifiedOutputSchema, verified)));
    },
  );
}
