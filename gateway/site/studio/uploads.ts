// /account/api/uploads: files that a person's page brings for a job. The body of a POST is the file itself.
import { toResult } from "../../answers/result.ts";
import { takeFile, takeFiles, TAKES_FILE } from "../../answers/take-file.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { personCall } from "../session/current-person.ts";

const PATH = "/account/api/uploads";

/** A scope of its own, because its bodies are no JSON. */
export async function uploadFiles(app: GatewayApp, { core, config }: GatewayOptions): Promise<void> {
  takeFiles(app);
  app.post(PATH, { config: TAKES_FILE }, async (request, reply) => {
    const upload = await takeFile(request, reply, { core, config, call: personCall(request) });
    return reply.code(201).send(toResult(upload));
  });
}
