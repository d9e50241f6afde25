// /account/api/uploads: files that a person's page brings for a job. The body of a POST is the file itself.
import { z } from "zod";
import { fromMessage } from "../../../proto/codec.ts";
import { uploadSchema } from "../../../proto/resources/upload.ts";
import { toResult } from "../../answers/result.ts";
import { takeFile, takeFiles, TAKES_FILE } from "../../answers/take-file.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { personCall } from "../session/current-person.ts";

const PATH = "/account/api/uploads";
const ofUpload = { schema: { params: z.object({ upload_id: z.string() }) } };

export function uploadJson(app: GatewayApp, { core }: GatewayOptions): void {
  app.get(`${PATH}/:upload_id`, ofUpload, async (request) =>
    toResult(fromMessage(uploadSchema, await core.uploads.GetUpload(request.params, personCall(request)))),
  );

  app.delete(`${PATH}/:upload_id`, ofUpload, async (request) => {
    await core.uploads.DeleteUpload(request.params, personCall(request));
    return toResult({ ...request.params, deleted: true });
  });
}

/** A scope of its own, because its bodies are no JSON. */
export async function uploadFiles(app: GatewayApp, { core, config }: GatewayOptions): Promise<void> {
  takeFiles(app);
  app.post(PATH, { config: TAKES_FILE }, async (request, reply) => {
    const upload = await takeFile(request, reply, { core, config, call: personCall(request) });
    return reply.code(201).send(toResult(upload));
  });
}
