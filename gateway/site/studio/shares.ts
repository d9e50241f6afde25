// Sharing a work: the page where its owner makes and ends a public link, and the page and files that anyone with the link sees.
import type { FastifyReply } from "fastify";
import { z } from "zod";
import { fromMessage } from "../../../proto/codec.ts";
import { AppError } from "../../../proto/codes.ts";
import { type JobResource, jobSchema } from "../../../proto/resources/job.ts";
import type { Share } from "../../../proto/types/atelier/v1/Share.ts";
import type { SharedOutput } from "../../../proto/types/atelier/v1/SharedOutput.ts";
import { outputParams } from "../../answers/path-params.ts";
import { sendOutput } from "../../answers/send-output.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { callFor, countAddress } from "../../http/auth.ts";
import { OPEN } from "../../http/crawlers.ts";
import { missingThings } from "../../http/zod-schemas.ts";
import { actionForm, csrfField } from "../account/account-frame.ts";
import { button, linkButton } from "../design/button.ts";
import { copyButton } from "../design/copy-button.ts";
import { checkbox } from "../design/field.ts";
import { html, type Markup } from "../design/markup.js";
import { timeOf } from "../design/time.ts";
import { renderPage } from "../layout/render-page.ts";
import { sharedHead } from "../layout/shared-head.ts";
import type { SiteOptions } from "../layout/site-options.ts";
import { currentPerson, type Person, personCall } from "../session/current-person.ts";
import { formOf } from "../session/forms.ts";
import { firstPicture, player } from "./job-media.ts";
import { excerpt, MODALITY_WORDS } from "./job-words.ts";
import { askModelNames } from "./model-names.ts";
import { jobPath, modelAddress, sharedPath, sharePath } from "./paths.ts";

const TITLE_LENGTH = 60;
const ALT_LENGTH = 200;

const ofShare = {
  schema: {
    params: z.object({
      share: z
        .string()
        .regex(/^[\w-]{22}$/)
        .register(missingThings, { code: "not_found" }),
    }),
  },
};

/** The owner's page of one output, and its two actions. */
export function sharePages(app: GatewayApp, { core, baseUrl }: GatewayOptions): void {
  const ofOutput = { schema: { params: outputParams } };
  const address = sharePath(":id", ":output_id");

  app.get(address, ofOutput, async (request, reply) => {
    const { id: job_id, output_id } = request.params;
    const call = personCall(request);
    const [job, { shares }] = await Promise.all([
      core.jobs.GetJob({ job_id }, call),
      core.jobs.ListShares({ job_id }, call),
    ]);
    const { prompt, outputs } = fromMessage(jobSchema, job);
    const output = outputs.find((one) => one.output_id === output_id);
    if (!output) throw new AppError("not_found");
    const share = shares.find((one) => one.output_id === output_id);
    return sendSharePage(reply, { person: request.person, job_id, output, prompt, share, baseUrl });
  });

  app.post(address, ofOutput, async (request, reply) => {
    const { id: job_id, output_id } = request.params;
    const shows_prompt = formOf(request).get("prompt") !== "";
    await core.jobs.ShareOutput({ job_id, output_id, shows_prompt }, personCall(request));
    return reply.redirect(sharePath(job_id, output_id), 303);
  });

  app.post(`${address}/end`, ofOutput, async (request, reply) => {
    const { id: job_id, output_id } = request.params;
    await core.jobs.EndShare({ job_id, output_id }, personCall(request));
    return reply.redirect(sharePath(job_id, output_id), 303);
  });
}

type SharePage = {
  person: Person;
  job_id: string;
  output: JobResource["outputs"][number];
  prompt: string;
  share: Share | undefined;
  baseUrl: string;
};

function sendSharePage(
  reply: FastifyReply,
  { person, job_id, output, prompt, share, baseUrl }: SharePage,
): FastifyReply {
  const path = sharePath(job_id, output.output_id);
  return renderPage(reply, {
    title: "Share this work",
    person,
    path,
    styles: ["account.css", "studio.css"],
    scripts: ["copy.js"],
    body: html`<div class="stack stack--loose">
      <nav aria-label="Breadcrumb"><a href=${jobPath(job_id)}>Back to the job</a></nav>
      <div class="stack">
        <h1>Share this work</h1>
        <p class="lead">
          Anyone who has the link sees this file until it expires, you delete it, or you stop sharing it. Your
          name and address are not shown.
        </p>
        <figure class="media__item">
          ${firstPicture({ job_id, outputs: [output] }, new Date())}
          <figcaption class="prompt">${prompt}</figcaption>
        </figure>
      </div>
      ${share && linkTo(baseUrl + sharedPath(share.share_id))}
      <form class="card stack" method="post" action=${path}>
        ${csrfField(person)}
        ${checkbox({ name: "prompt", value: "shown", label: "Show the prompt", checked: share?.shows_prompt ?? false })}
        <p>${button({ label: share ? "Save" : "Make a public link", kind: share ? "quiet" : "primary" })}</p>
      </form>
      ${share && actionForm(person, { action: `${path}/end`, label: "Stop sharing", kind: "danger" })}
    </div>`,
  });
}

function linkTo(url: string): Markup {
  return html`<div class="secret">
    <a id="share-link" href=${url}>${url}</a>${copyButton({ of: "share-link", what: "the link" })}
  </div>`;
}

/** For anyone: the page of a link, its file, and its picture for previews. */
export function sharedPages(app: GatewayApp, { core, limits, config, baseUrl }: SiteOptions): void {
  app.get(sharedPath(":share"), { ...ofShare, ...OPEN }, async (request, reply) => {
    await countAddress(request, reply, limits, "catalog");
    const { share: share_id } = request.params;
    const [shared, modelName, person] = await Promise.all([
      core.jobs.GetSharedOutput({ share_id }, callFor(request)),
      askModelNames(core, request),
      currentPerson(request),
    ]);
    return renderPage(reply, {
      ...sharedPage(shared, modelName(shared.model_slug), { path: sharedPath(share_id), baseUrl }),
      person,
    });
  });

  for (const file of ["file", "picture"] as const)
    app.get(`${sharedPath(":share")}/${file}`, { ...ofShare, ...OPEN }, async (request, reply) => {
      await countAddress(request, reply, limits, "catalog");
      const { share: share_id } = request.params;
      const call = callFor(request);
      const { output_id: own, picture } = await core.jobs.GetSharedOutput({ share_id }, call);
      const output_id = file === "file" ? own : picture?.file_id;
      if (output_id === undefined) throw new AppError("not_found");
      const asked = { share_id, output_id };
      // A link that has ended must not go on from a cache.
      return sendOutput(request, reply, { core, config, call, asked, cacheControl: "private, no-cache" });
    });
}

const verifyLink = html`<a href="/verify">Check who signed the file.</a>`;
const reportLink = html`<a href="/support">Report it.</a>`;

function sharedPage(
  shared: SharedOutput,
  model: string,
  { path, baseUrl }: { path: string; baseUrl: string },
) {
  const { modality, model_slug, made_at, prompt, mime_type, width, height, picture } = shared;
  const kind = MODALITY_WORDS[modality as keyof typeof MODALITY_WORDS];
  const title = prompt === undefined ? `${kind} by ${model}` : excerpt(prompt, TITLE_LENGTH);
  const description = `Made with ${model} on Atelier.`;
  const name = prompt === undefined ? title : `Made from: ${excerpt(prompt, ALT_LENGTH)}`;
  const thumbnails = picture
    ? [{ address: `${path}/picture`, width: picture.width, height: picture.height }]
    : [];
  const image = picture && {
    path: `${path}/picture`,
    alt: name,
    type: "image/webp",
    width: picture.width,
    height: picture.height,
  };
  const size = { width: width ?? null, height: height ?? null };
  return {
    title,
    description,
    path,
    styles: ["studio.css"],
    scripts: ["times.js"],
    head: html`<meta
        name="robots"
        content="noindex"
      />${sharedHead({ type: "website", title, description, baseUrl, path, ...(image && { image }) })}`,
    body: html`<div class="stack stack--loose">
      <h1>${title}</h1>
      <figure class="media__item">
        ${player({ mime_type, ...size }, { address: `${path}/file`, thumbnails, name })}
        <figcaption class="cluster note">
          <span>Made with ${model}, an AI model · ${timeOf(made_at)}</span>
          <a href=${`${path}/file`} download>Download</a>
        </figcaption>
      </figure>
      ${prompt !== undefined && prompt !== title && html`<p class="prompt">${prompt}</p>`}
      <div class="cluster">${linkButton({ href: modelAddress(model_slug), label: "Make your own" })}</div>
      <p class="note">Its owner shared it by this link. ${verifyLink} ${reportLink}</p>
    </div>`,
  };
}
