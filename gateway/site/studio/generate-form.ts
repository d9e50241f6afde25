// The form of the Generate page as it arrives. Where a model takes files the form may carry them: what comes before the first file is read
// before anyone asks who sends it, the files only after that, each handed to core as it comes.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../../proto/codes.ts";
import { takeFile } from "../../answers/take-file.ts";
import type { GatewayOptions } from "../../gateway.ts";
import { bounded, MULTIPART_TYPE, type Part, readParts, text } from "../../http/multipart.ts";
import { personCall } from "../session/current-person.ts";
import { Form, formOf } from "../session/forms.ts";
import { addressField, fileField, pickField } from "./input-fields.ts";

/** Of all fields together; files are core's to refuse. */
const MAX_TEXT_BYTES = 256 * 1024;

class FormWithFiles extends Form {
  readonly pairs: [string, string][];
  readonly rest: AsyncGenerator<Part>;
  readonly first: Part | undefined;

  constructor(pairs: [string, string][], rest: AsyncGenerator<Part>, first: Part | undefined) {
    super(new URLSearchParams(pairs).toString());
    this.pairs = pairs;
    this.rest = rest;
    this.first = first;
  }
}

/** Lets the routes of this scope take forms with files. */
export function acceptFilesInForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    MULTIPART_TYPE,
    async (request: FastifyRequest, payload: AsyncIterable<Buffer>) => {
      const parts = readParts(bounded(payload), request.headers["content-type"] ?? "");
      const pairs: [string, string][] = [];
      const first = await readFields(parts, pairs);
      return withoutNul(new FormWithFiles(pairs, parts, first));
    },
  );
}

export type GenerateForm = {
  readonly form: Form;
  /** Why a file was not taken, by the name of the param. */
  readonly refused: ReadonlyMap<string, AppError>;
};

/** With each param that takes a file naming the one that was chosen: a new one, else one of theirs, else what was typed. */
export async function readGenerateForm(
  request: FastifyRequest,
  reply: FastifyReply,
  { core, config }: Pick<GatewayOptions, "core" | "config">,
  inputParams: (form: Form) => readonly string[],
): Promise<GenerateForm> {
  const body = formOf(request);
  const refused = new Map<string, AppError>();
  const sent = new Map<string, string>();
  let form = body;
  if (body instanceof FormWithFiles) {
    let part = body.first;
    while (part) {
      const { name, body: file } = part;
      const param = inputParams(body).find((input) => fileField(input) === name);
      if (param !== undefined && part.filename !== "") {
        try {
          const upload = await takeFile(request, reply, { core, config, call: personCall(request), file });
          sent.set(param, upload.upload_id);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          refused.set(param, error);
        }
      }
      part = await readFields(body.rest, body.pairs);
    }
    form = withoutNul(new Form(new URLSearchParams(body.pairs).toString()));
  }
  const chosen = inputParams(form).flatMap((param) => {
    const named = sent.get(param) ?? form.get(pickField(param));
    return named === "" ? [] : [[addressField(param), named] as const];
  });
  return { form: form.with(chosen), refused };
}

/** The next part that is a file; the fields before it are added. */
async function readFields(parts: AsyncGenerator<Part>, pairs: [string, string][]): Promise<Part | undefined> {
  let left = MAX_TEXT_BYTES - pairs.flat().reduce((sum, { length }) => sum + length, 0);
  for (;;) {
    const { done, value: part } = await parts.next();
    if (done) return undefined;
    if (part.filename !== undefined) return part;
    const value = await text(part.body, left);
    left -= part.name.length + value.length;
    pairs.push([part.name, value]);
  }
}

function withoutNul<F extends Form>(form: F): F {
  form.refuseNul();
  return form;
}
