// /account/api/uploads: files that a page uploads for a job. The body of a POST is the file.
import { toResult } from "../../answers/result.ts";
import { takeFile, takeFiles, TAKES_FILE } from "../../answers/take-file.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { personCall } from "../session/current-person.ts";

const PATH = "/account/api/uploads";

/** A separate scope, because its bodies are not JSON. */
export async function uploadFiles(app: GatewayApp, { core, config }: GatewayOptions): Promise<void> {
  takeFiles(app);
  app.post(PATH, { config: TAKES_FILE }, async (request, reply) => {
    const upload = await takeFile(request, reply, { core, config, call: personCall(request) });
    return reply.code(201).send(toResult(upload));
  });
}
