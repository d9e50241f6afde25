// /verify, for everyone: checks the Content Credentials of a file, or finds by its fingerprint whether it was made here, in which case the
// file stays in the browser.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fromMessage } from "../../../proto/codec.ts";
import { AppError, ERROR_TABLE } from "../../../proto/codes.ts";
import { MAX_VERIFIED_BYTES, type VerifiedFile } from "../../../proto/resources/verified-file.ts";
import { sha256Schema, verifiedOutputSchema } from "../../../proto/resources/verified-output.ts";
import { TAKES_FILE } from "../../answers/take-file.ts";
import { verifyFile } from "../../answers/verify-file.ts";
import { callFor, countAddress } from "../../http/auth.ts";
import { OPEN } from "../../http/crawlers.ts";
import { MULTIPART_TYPE, readParts } from "../../http/multipart.ts";
import { button } from "../design/button.ts";
import { textField } from "../design/field.ts";
import { type Children, type Markup, html } from "../design/markup.js";
import { refusalNotice } from "../layout/refusal-notice.ts";
import { renderPage } from "../layout/render-page.ts";
import type { SiteOptions } from "../layout/site-options.ts";
import { viewerOf } from "../session/current-person.ts";
import { askModelNames } from "./model-names.ts";
import { fileOutcome, recordOutcome } from "./verify-words.ts";

const PATH = "/verify";
const FILE_FIELD = "file";

export function verifyPage(app: FastifyInstance, { core, limits }: SiteOptions): void {
  app.get<{ Querystring: { sha256?: unknown } }>(PATH, OPEN, async (request, reply) => {
    await countAddress(request, reply, limits, "catalog");
    const given = typeof request.query.sha256 === "string" ? request.query.sha256 : "";
    const { success, data } = sha256Schema.safeParse(given);
    if (!success) {
      const error =
        given === "" ? undefined : "This is no SHA-256 fingerprint: those have 64 digits, 0 to 9 and a to f.";
      return sendPage(request, reply, { given, error, ...(error && { status: 400 }) });
    }
    const [verified, modelName] = await Promise.all([
      core.jobs.VerifyOutput({ sha256: data }, callFor(request)),
      askModelNames(core, request),
    ]);
    return sendPage(request, reply, {
      given,
      outcome: recordOutcome(fromMessage(verifiedOutputSchema, verified), modelName),
    });
  });
}

/** A separate scope, because its form carries a file. */
export async function verifyFilePage(app: FastifyInstance, options: SiteOptions): Promise<void> {
  app.addContentTypeParser(MULTIPART_TYPE, (_request, payload, done) => done(null, payload));
  app.post(PATH, { config: TAKES_FILE }, async (request, reply) => {
    await countAddress(request, reply, options.limits, "verifications");
    try {
      const file = await readForm(request, reply, options);
      const modelName = await askModelNames(options.core, request);
      return await sendPage(request, reply, { outcome: fileOutcome(file, modelName) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return sendPage(request, reply, {
        outcome: refusalNotice(error),
        status: ERROR_TABLE[error.code].http,
      });
    }
  });
}

/** The first file of the form. Throws invalid_request if none was chosen, and core's errors. */
async function readForm(
  request: FastifyRequest,
  reply: FastifyReply,
  { core, config }: SiteOptions,
): Promise<VerifiedFile> {
  const contentType = request.headers["content-type"] ?? "";
  if (contentType.startsWith(MULTIPART_TYPE))
    for await (const { name, filename, body } of readParts(request.raw, contentType))
      if (name === FILE_FIELD && filename) return verifyFile(request, reply, { core, config, file: body });
  throw new AppError("invalid_request", {
    message: "No file was chosen.",
    hint: "Choose a file, then press the button.",
  });
}

type Shown = {
  readonly given?: string;
  readonly error?: string | undefined;
  readonly outcome?: Markup;
  readonly status?: number;
};

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { given = "", error, outcome, status }: Shown,
): Promise<FastifyReply> {
  const person = await viewerOf(request.server.sessions, request, status);
  return renderPage(reply, {
    title: "Was it made here?",
    description:
      "Check the Content Credentials of a picture, clip or sound: who signed it, and whether it has changed since.",
    path: PATH,
    styles: ["account.css"],
    scripts: ["verify.js", "times.js"],
    ...(status !== undefined && { status }),
    person,
    body: html`<div class="stack stack--loose">
      <div class="stack">
        <h1>Was it made here?</h1>
        <p class="lead">
          Check the Content Credentials of a picture, clip or sound: who signed it, how it was made, and
          whether it has changed since.
        </p>
      </div>
      ${outcome} ${fileForm()} ${fingerprintForm(given, error)}
      <p class="note">
        <a href="/docs/content-credentials">What Content Credentials prove, and what not</a>
      </p>
    </div>`,
  });
}

function fileForm(): Markup {
  return html`<form
    class="card stack"
    id="verify-file"
    method="post"
    action=${PATH}
    enctype=${MULTIPART_TYPE}
    data-max-bytes=${MAX_VERIFIED_BYTES}
  >
    <div class="field">
      <label class="field__label" for="file"
        >File<span id="verify-drop" hidden>, or drop it anywhere on this page</span></label
      >
      <p class="note field__hint" id="file-hint">
        PNG, JPEG, WebP, AVIF, GIF, WAV, MP3, M4A, FLAC, MP4 or WebM, up to 128 MiB. The file is checked and
        not kept.
      </p>
      <input class="input" type="file" id="file" name=${FILE_FIELD} required aria-describedby="file-hint" />
    </div>
    <p class="note" id="verify-state" role="status"></p>
    ${button({ label: "Check the file" })}
  </form>`;
}

function fingerprintForm(given: string, error: string | undefined): Children {
  return html`<details class="card" open=${given !== ""}>
    <summary>Look up a fingerprint, without sending the file</summary>
    <form class="stack" id="verify" method="get" action=${PATH}>
      <p class="note">
        A fingerprint is known for as long as the file is kept here, which is 30 days. A file that was changed
        in any way, even just saved again, has another one.
      </p>
      <div class="field" id="verify-local" hidden>
        <label class="field__label" for="local-file">File, which stays with you</label>
        <input class="input" type="file" id="local-file" />
      </div>
      ${textField({
        name: "sha256",
        label: "Fingerprint of the file (SHA-256)",
        hint: "64 digits, 0 to 9 and a to f.",
        value: given,
        error,
        maxLength: 100,
        autocomplete: "off",
        required: true,
      })}
      <p class="note" id="fingerprint-state" role="status"></p>
      ${button({ label: "Look it up" })}
    </form>
  </details>`;
}
