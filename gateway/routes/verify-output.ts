// /api/outputs/verify, for anyone: GET shows whether the service made the file of a digest, POST verifies the Content Credentials of a
// file.
import { z } from "zod";
import type { CoreClient } from "../../proto/client.ts";
import { fromMessage } from "../../proto/codec.ts";
import { verifiedFileSchema } from "../../proto/resources/verified-file.ts";
import { sha256Schema, verifiedOutputSchema } from "../../proto/resources/verified-output.ts";
import { toResult } from "../answers/result.ts";
import { takeFiles, TAKES_FILE } from "../answers/take-file.ts";
import { verifyFile } from "../answers/verify-file.ts";
import type { GatewayApp, GatewayOptions } from "../gateway.ts";
import { callFor, PUBLIC } from "../http/auth.ts";
import { VERIFIED_FILE, VERIFIED_OUTPUT } from "../openapi/examples.ts";
import { operation, resultAnswer } from "../openapi/operation.ts";

const PATH = "/api/outputs/verify";

export function verifyOutputRoute(app: GatewayApp, core: CoreClient): void {
  app.get(
    PATH,
    operation({
      config: { access: PUBLIC, envelope: true },
      querystring: z.object({ sha256: sha256Schema.describe("SHA-256 of the file, in hex.") }),
      operationId: "verifyOutput",
      summary: "Tell whether the service made a file",
      description:
        "Whether a job made a file of exactly these bytes, when, and by which model. Needs no key. The response reveals neither the owner nor the prompt. A file is known until the time to keep it ends (30 days, or its keep_days), also if its owner deletes it before.",
      tag: "Jobs",
      errors: ["invalid_request"],
      success: {
        200: resultAnswer("Whether it was made here.", verifiedOutputSchema, VERIFIED_OUTPUT, [
          "Cache-Control",
        ]),
      },
    }),
    async (request, reply) => {
      const { sha256 } = request.query;
      const verified = await core.jobs.VerifyOutput({ sha256 }, callFor(request));
      return reply
        .header("cache-control", "no-cache")
        .send(toResult(fromMessage(verifiedOutputSchema, verified)));
    },
  );
}

/** A separate scope, because its bodies are not JSON. */
export async function verifyFileRoute(app: GatewayApp, { core, config }: GatewayOptions): Promise<void> {
  takeFiles(app);
  app.post(
    PATH,
    operation({
      config: { access: { ...PUBLIC, limit: "verifications" }, envelope: true, ...TAKES_FILE },
      operationId: "verifyFile",
      summary: "Check the Content Credentials of a file",
      description:
        "The body is the file, of at most 128 MiB: PNG, JPEG, WebP, AVIF, GIF, WAV, MP3, M4A, FLAC, AAC, Ogg, MP4 or WebM, told by its content. Reads its Content Credentials (C2PA) and reports whether the signature holds, whether the bytes are those that were signed, who signed them, and what they say; `record` is the response of verifyOutput for the same bytes. Needs no key, keeps nothing of the file, and reports neither the account nor the prompt. WebM, AAC and Ogg files carry no credentials.",
      tag: "Jobs",
      takesFile: true,
      errors: ["unsupported_input", "upload_too_large"],
      success: {
        200: resultAnswer(
          "The Content Credentials of the file and whether they are valid.",
          verifiedFileSchema,
          VERIFIED_FILE,
          ["Cache-Control"],
        ),
      },
    }),
    async (request, reply) => {
      const verified = await verifyFile(request, reply, { core, config });
      return reply.header("cache-control", "no-store").send(toResult(verified));
    },
  );
}
