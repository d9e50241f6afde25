// Bodies of multipart/form-data, in which OpenAI's libraries send files: text fields as they are, and for each file the id of the upload that
// it has become.
import type { FastifyReply, FastifyRequest } from "fastify";
import { invalidField } from "../../proto/codes.ts";
import { takeFile } from "../answers/take-file.ts";
import type { GatewayApp, GatewayOptions } from "../gateway.ts";
import { callFor } from "../http/auth.ts";
import { bounded, MULTIPART_TYPE, readParts, text } from "../http/multipart.ts";

/** Of all fields together; files are core's to refuse. */
const MAX_TEXT_BYTES = 64 * 1024;
const MAX_FILES = 17;
/** Fields with JSON values: numbers and booleans. */
const PLAIN = new Set(["n", "stream", "partial_images", "expires_in", "keep_days"]);
/** image, image[], input_reference[image_url] */
const NAME = /^([a-z]\w{0,49})(?:\[(\w{0,50})\])?$/;

/** Lets the routes of this scope accept forms as well as JSON. A repeated form names the same uploads, so it is the same request. */
export function acceptForms(app: GatewayApp, options: Pick<GatewayOptions, "core" | "config">): void {
  app.addContentTypeParser(MULTIPART_TYPE, (_request, payload, done) => done(null, payload));
  app.addHook("preValidation", async (request, reply) => {
    if (request.headers["content-type"]?.toLowerCase().startsWith(MULTIPART_TYPE))
      request.body = await readForm(request, reply, options);
  });
}

async function readForm(
  request: FastifyRequest,
  reply: FastifyReply,
  { core, config }: Pick<GatewayOptions, "core" | "config">,
): Promise<Record<string, unknown>> {
  const settings = { core, config, call: callFor(request), beginning: { reuse: true } };
  const body: Record<string, unknown> = {};
  let left = MAX_TEXT_BYTES;
  let files = 0;
  const stream = bounded(request.body as AsyncIterable<Buffer>);
  for await (const part of readParts(stream, request.headers["content-type"] ?? "")) {
    const [, name, inner] = NAME.exec(part.name) ?? [];
    if (name === undefined) throw invalidField("body", "has a field without a plain name");
    if (part.filename === undefined) {
      const value = await text(part.body, left);
      left -= value.length;
      add(body, name, inner, PLAIN.has(name) ? fromJson(value) : value);
      continue;
    }
    if (++files > MAX_FILES)
      throw invalidField(name, `is one file too many: a form has at most ${MAX_FILES}`);
    const { upload_id } = await takeFile(request, reply, { ...settings, file: part.body });
    add(body, name, inner, upload_id);
  }
  return body;
}

/** One value, a list of those that have the same name, or an object of those that have names of their own. */
function add(body: Record<string, unknown>, name: string, inner: string | undefined, value: unknown): void {
  const before = Object.hasOwn(body, name) ? body[name] : undefined;
  if (inner) body[name] = { ...Object(before), [inner]: value };
  else body[name] = before === undefined && inner === undefined ? value : [...[before ?? []].flat(), value];
}

function fromJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
