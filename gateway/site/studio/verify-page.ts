// /verify: whether a file was made here, for anyone. The file never leaves the browser; without a script people paste its digest.
import type { FastifyInstance } from "fastify";
import { fromMessage } from "../../../proto/codec.ts";
import type { CoreClient } from "../../../proto/client.ts";
import {
  sha256Schema,
  type VerifiedOutput,
  verifiedOutputSchema,
} from "../../../proto/resources/verified-output.ts";
import { callFor, countAddress } from "../../http/auth.ts";
import { button } from "../design/button.ts";
import { textField } from "../design/field.ts";
import { dateTime } from "../design/format.ts";
import { type Markup, html } from "../design/markup.js";
import { notice } from "../design/notice.ts";
import { renderPage } from "../layout/render-page.ts";
import type { SiteOptions } from "../layout/site-options.ts";
import { currentPerson } from "../session/current-person.ts";

const PATH = "/verify";

export function verifyPage(app: FastifyInstance, { core, limits }: SiteOptions): void {
  app.get<{ Querystring: { sha256?: unknown } }>(PATH, async (request, reply) => {
    await countAddress(request, reply, limits, "catalog");
    const person = await currentPerson(request);
    const given = typeof request.query.sha256 === "string" ? request.query.sha256 : "";
    const { success, data } = sha256Schema.safeParse(given);
    const ask = (client: CoreClient, sha256: string) =>
      client.jobs.VerifyOutput({ sha256 }, callFor(request));
    const verified = success ? fromMessage(verifiedOutputSchema, await ask(core, data)) : undefined;
    const error =
      given !== "" && !success
        ? "This is no SHA-256 fingerprint: those have 64 digits, 0 to 9 and a to f."
        : undefined;
    return renderPage(reply, {
      title: "Was it made here?",
      description: "Find out whether a file was made here, and when. The file stays with you.",
      path: PATH,
      scripts: ["verify.js"],
      ...(error && { status: 400 }),
      ...(person && { person }),
      body: html`<div class="stack stack--loose">
        <div class="stack">
          <h1>Was it made here?</h1>
          <p class="lead">
            Find out whether a picture, clip or sound was made here, and when. The file stays with you: we
            only look up its fingerprint, and never tell who made it or what they wrote.
          </p>
        </div>
        ${verified && outcome(verified)}
        <form class="card stack" id="verify" method="get" action=${PATH}>
          <div class="stack" id="verify-file" hidden>
            <label for="file">Choose a file, or drop it anywhere on this page</label>
            <input type="file" id="file" />
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
          <p class="note" id="verify-state" role="status"></p>
          ${button({ label: "Look it up" })}
        </form>
        <p class="note">
          We know a file for as long as we keep it, which is 30 days. A file that was changed in any way, even
          just saved again, counts as another file.
        </p>
      </div>`,
    });
  });
}

function outcome({ made, made_at, modality, model_slug, ledger_entry_hash: hash }: VerifiedOutput): Markup {
  if (!made || !made_at)
    return notice({
      tone: "info",
      title: "Not known here",
      body: "None of the files we still keep is exactly like this one.",
    });
  return notice({
    tone: "success",
    title: "Made here",
    body: html`This ${modality ?? "file"} was made by ${model_slug ?? "a model"} and finished on${" "}
    ${dateTime(made_at)}. ${hash !== null && html`Its ledger entry has the hash <code>${hash}</code>.`}`,
  });
}
