// /api/uploads: files for jobs. The body of a request is the file itself, whatever its media type says.
import { z } from "zod";
import { fromMessage } from "../../proto/codec.ts";
import {
  uploadAddressRequestSchema,
  uploadAddressSchema,
  uploadSchema,
} from "../../proto/resources/upload.ts";
import { toResult } from "../answers/result.ts";
import { signedAccess, signedQuery } from "../answers/signed-query.ts";
import { takeFile, takeFiles, TAKES_FILE } from "../answers/take-file.ts";
import type { GatewayApp, GatewayOptions } from "../gateway.ts";
import { callFor, READ, WRITE } from "../http/auth.ts";
import { missingThings } from "../http/zod-schemas.ts";
import { UPLOAD, UPLOAD_ADDRESS } from "../openapi/examples.ts";
import { operation, resultAnswer } from "../openapi/operation.ts";
import { FILE_ERRORS } from "./generate.ts";

const PATH = "/api/uploads";
/** Core fetches the file from the object store in the meantime. */
const FINISH_DEADLINE_MS = 70_000;

const uploadParams = z.object({
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .describe("The upload_id.")
    .register(missingThings, { code: "upload_not_found" }),
});

const TAKEN = resultAnswer("The file, as it is kept.", uploadSchema, UPLOAD);
const WORDS =
  "Pictures (PNG, JPEG, WebP, AVIF, GIF; 25 MiB), audio (WAV, MP3, FLAC, AAC, M4A; 50 MiB) and video (MP4, WebM; 200 MiB), recognized by their content. Metadata about who made a file, where and with what is removed; a picture is decoded and encoded again. A sender that sends nothing for 30 seconds is disconnected.";

export function uploadRoutes(app: GatewayApp, options: GatewayOptions): void {
  getUpload(app, options);
  deleteUpload(app, options);
  createAddress(app, options);
  finishUpload(app, options);
}

/** A separate scope, because its bodies are not JSON. */
export async function fileRoutes(app: GatewayApp, options: GatewayOptions): Promise<void> {
  takeFiles(app);
  createUpload(app, options);
  sendFile(app, options);
}

function createUpload(app: GatewayApp, { core, config, generationBaseUrl }: GatewayOptions): void {
  app.post(
    PATH,
    operation({
      config: { access: WRITE, envelope: true, ...TAKES_FILE },
      operationId: "createUpload",
      summary: "Upload a file for a job",
      description: `The body is the file. Its upload_id is the value of a param that takes one. ${WORDS}`,
      tag: "Uploads",
      takesFile: true,
      success: { 201: { ...TAKEN, headers: ["Location"] } },
      errors: ["insufficient_scope", "unsupported_input", "upload_too_large", "upload_limit_reached"],
    }),
    async (request, reply) => {
      const upload = await takeFile(request, reply, { core, config, call: callFor(request) });
      return reply
        .code(201)
        .header("location", `${generationBaseUrl}${PATH}/${upload.upload_id}`)
        .send(toResult(upload));
    },
  );
}

function sendFile(app: GatewayApp, { core, config }: GatewayOptions): void {
  app.put(
    `${PATH}/:id`,
    operation({
      config: {
        access: { by: "key-or-signature", scope: "write", limit: "api" },
        envelope: true,
        ...TAKES_FILE,
      },
      params: uploadParams,
      querystring: signedQuery,
      operationId: "sendUpload",
      summary: "Send the file of an address",
      description: `To a signed address that createUploadAddress or the tool create_upload gave: once, within fifteen minutes. The body is the file. ${WORDS}`,
      tag: "Uploads",
      takesFile: true,
      success: { 201: TAKEN },
      errors: ["insufficient_scope", ...FILE_ERRORS],
    }),
    async (request, reply) => {
      const beginning = { upload_id: request.params.id, ...signedAccess(request.query) };
      const call = callFor(request);
      return reply
        .code(201)
        .send(toResult(await takeFile(request, reply, { core, config, call, beginning })));
    },
  );
}

function getUpload(app: GatewayApp, { core }: GatewayOptions): void {
  app.get(
    `${PATH}/:id`,
    operation({
      config: { access: READ, envelope: true },
      params: uploadParams,
      operationId: "getUpload",
      summary: "Read what is known of an upload",
      description: "Kind, size, SHA-256 and when it is removed. The response does not hold the file itself.",
      tag: "Uploads",
      success: { 200: TAKEN },
      errors: ["upload_not_found"],
    }),
    async (request) => {
      const upload = await core.uploads.GetUpload({ upload_id: request.params.id }, callFor(request));
      return toResult(fromMessage(uploadSchema, upload));
    },
  );
}

function deleteUpload(app: GatewayApp, { core }: GatewayOptions): void {
  app.delete(
    `${PATH}/:id`,
    operation({
      config: { access: WRITE, bodyOptional: true, envelope: true },
      params: uploadParams,
      operationId: "deleteUpload",
      summary: "Delete an upload",
      description:
        "No further job can use it. One that was accepted with it keeps its file for as long as it may run.",
      tag: "Uploads",
      success: {},
      bodiless: { 204: { description: "It is gone." } },
      errors: ["insufficient_scope", "upload_not_found"],
    }),
    async (request, reply) => {
      await core.uploads.DeleteUpload({ upload_id: request.params.id }, callFor(request));
      return reply.code(204).send();
    },
  );
}

function createAddress(app: GatewayApp, { core }: GatewayOptions): void {
  app.post(
    `${PATH}/direct`,
    operation({
      config: { access: WRITE, envelope: true },
      body: uploadAddressRequestSchema,
      operationId: "createUploadAddress",
      summary: "Get an address to send a file to",
      description:
        "PUT the file there with the headers named, within fifteen minutes and once; no key is needed. Where files are kept in an object store the address is the store's: POST to finish_url then, and the file is looked at.",
      tag: "Uploads",
      success: { 201: resultAnswer("The address.", uploadAddressSchema, UPLOAD_ADDRESS) },
      errors: ["insufficient_scope", "upload_limit_reached"],
    }),
    async (request, reply) => {
      const { bytes } = request.body;
      const address = await core.uploads.CreateUploadAddress({ bytes, direct: true }, callFor(request));
      return reply.code(201).send(toResult(fromMessage(uploadAddressSchema, address)));
    },
  );
}

function finishUpload(app: GatewayApp, { core }: GatewayOptions): void {
  app.post(
    `${PATH}/:id/finish`,
    operation({
      config: { access: WRITE, bodyOptional: true, envelope: true },
      params: uploadParams,
      operationId: "finishUpload",
      summary: "Finish an upload that was sent to the object store",
      description: "Looks at what was sent and keeps it, or refuses it and removes it. Needs no body.",
      tag: "Uploads",
      success: { 200: TAKEN },
      errors: ["insufficient_scope", ...FILE_ERRORS],
    }),
    async (request) => {
      const call = { ...callFor(request), deadlineMs: FINISH_DEADLINE_MS };
      const upload = await core.uploads.FinishUpload({ upload_id: request.params.id }, call);
      return toResult(fromMessage(uploadSchema, upload));
    },
  );
}
