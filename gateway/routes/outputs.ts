// GET /api/jobs/{id}/outputs/{output_id} and …/inputs/{param}: the file itself, whole or in ranges, for a key or a signed URL.
import { z } from "zod";
import { inputParams, outputParams } from "../answers/path-params.ts";
import { OUTPUT_TYPES, sendOutput } from "../answers/send-output.ts";
import { signedAccess, signedQuery } from "../answers/signed-query.ts";
import type { GatewayApp, GatewayOptions } from "../gateway.ts";
import { type Access, callFor } from "../http/auth.ts";
import { operation, type Operation, type ResponseHeaderName } from "../openapi/operation.ts";

const file = z.string().meta({ format: "binary" });
const FILE_HEADERS: ResponseHeaderName[] = ["Accept-Ranges", "Cache-Control", "Content-Disposition", "ETag"];

export const OPENED = {
  success: {
    200: { description: "The whole file.", schema: file, contentTypes: OUTPUT_TYPES, headers: FILE_HEADERS },
    206: {
      description: "The range asked for.",
      schema: file,
      contentTypes: OUTPUT_TYPES,
      headers: [...FILE_HEADERS, "Content-Range"],
    },
  },
  bodiless: {
    304: { description: "You have it already: the ETag in If-None-Match is right.", headers: ["ETag"] },
  },
  errors: ["not_found", "job_not_found", "range_not_satisfiable"],
} as const satisfies Partial<Operation>;
const ACCESS: Access = { by: "key-or-signature", scope: "read", limit: "api" };

export function outputRoutes(app: GatewayApp, options: GatewayOptions): void {
  getOutput(app, options);
  getInput(app, options);
}

function getInput(app: GatewayApp, { core, config }: GatewayOptions): void {
  app.get(
    "/api/jobs/:id/inputs/:param",
    operation({
      config: { access: ACCESS, envelope: true },
      params: inputParams,
      querystring: signedQuery,
      ...OPENED,
      operationId: "getInput",
      summary: "Fetch a file that a job was given",
      description:
        "The file that a param of the job named, as it was found when the job was accepted. It is kept for as long as the job may run.",
      tag: "Outputs",
    }),
    async (request, reply) => {
      const { id: job_id, param } = request.params;
      const asked = { job_id, param, ...signedAccess(request.query) };
      return sendOutput(request, reply, { core, config, call: callFor(request), asked });
    },
  );
}

function getOutput(app: GatewayApp, { core, config }: GatewayOptions): void {
  app.get(
    "/api/jobs/:id/outputs/:output_id",
    operation({
      config: { access: ACCESS, envelope: true },
      params: outputParams,
      querystring: signedQuery,
      ...OPENED,
      operationId: "getOutput",
      summary: "Fetch a file",
      description:
        "The file of one output, with the key of its account or by the signed URL of the job record. One range of bytes can be asked for; HEAD answers the headers alone. At most 50 files of an account are read at a time; one more is rate_limited. A reader who takes nothing for 30 seconds is cut off.",
      tag: "Outputs",
    }),
    async (request, reply) => {
      const { id: job_id, output_id } = request.params;
      const asked = { job_id, output_id, ...signedAccess(request.query) };
      return sendOutput(request, reply, { core, config, call: callFor(request), asked });
    },
  );
}
