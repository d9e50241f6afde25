// /models and /models/{slug}, for everyone: samples, params, prices, and a link to try the model.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { fromMessages } from "../../../proto/codec.ts";
import { AppError } from "../../../proto/codes.ts";
import { MODALITIES } from "../../../proto/resources/job.ts";
import { modelSchema } from "../../../proto/resources/model.ts";
import { priceInWords, pricingOf, UNIT_WORDS } from "../../../proto/resources/pricing.ts";
import { callFor, countAddress } from "../../http/auth.ts";
import { INDEXED, OPEN } from "../../http/crawlers.ts";
import { linkButton } from "../design/button.ts";
import { count, counted } from "../design/format.ts";
import { icon } from "../design/icon.ts";
import { type Markup, html } from "../design/markup.js";
import { table } from "../design/table.ts";
import { type Page, renderPage } from "../layout/render-page.ts";
import { sharedHead } from "../layout/shared-head.ts";
import type { SiteOptions } from "../layout/site-options.ts";
import { mediaOf, pictureOf, type Sample, samplesOf } from "../samples/samples.ts";
import { currentPerson, type Person } from "../session/current-person.ts";
import type { Model } from "./draft.ts";
import { MODALITY_ICONS, MODALITY_WORDS } from "./job-words.ts";
import { inWords, labelOf, paramsOf } from "./params.ts";
import { exampleAddress, modelAddress, modelPath, MODELS_PATH, PRICES_ID } from "./paths.ts";

const LIST = {
  path: MODELS_PATH,
  title: "Models",
  description: "Every model that makes images, video and audio here, with works and prices.",
};

export function modelsPages(app: FastifyInstance, options: SiteOptions): void {
  const { limits, baseUrl } = options;
  app.get(MODELS_PATH, INDEXED, async (request, reply) => {
    await countAddress(request, reply, limits, "catalog");
    const models = await askModels(request, options);
    return renderPage(reply, listPage(models, await currentPerson(request), baseUrl));
  });

  app.get<{ Params: { slug: string } }>(`${MODELS_PATH}/:slug`, OPEN, async (request, reply) => {
    await countAddress(request, reply, limits, "catalog");
    const models = await askModels(request, options);
    const model = models.find(({ model_slug }) => model_slug === request.params.slug);
    if (!model) throw new AppError("not_found");
    return renderPage(reply, modelPage(model, await currentPerson(request), baseUrl));
  });
}

async function askModels(request: FastifyRequest, { core }: SiteOptions): Promise<readonly Model[]> {
  const { models } = await core.models.ShowModels({}, callFor(request));
  return fromMessages(modelSchema, models);
}

type Shown = { path: string; title: string; description: string };

function pageOf(shown: Shown, person: Person | undefined, baseUrl: string): Omit<Page, "body"> {
  return {
    ...shown,
    styles: ["studio.css", "generate.css"],
    head: sharedHead({ ...shown, type: "website", baseUrl }),
    person,
  };
}

function listPage(models: readonly Model[], person: Person | undefined, baseUrl: string): Page {
  return {
    ...pageOf(LIST, person, baseUrl),
    body: html`<div class="stack stack--loose">
      <div class="stack">
        <h1>Models</h1>
        <p class="lead">
          The output of each model and its price. Credits of failed jobs are refunded in full.
        </p>
      </div>
      ${MODALITIES.map((modality) => {
        const own = models.filter((model) => model.modality === modality);
        return (
          own.length > 0 &&
          html`<section class="stack" aria-labelledby=${`models-${modality}`}>
            <h2 id=${`models-${modality}`}>${MODALITY_WORDS[modality]}</h2>
            <ul class="model-tiles">
              ${own.map((model) => html`<li>${tile(model)}</li>`)}
            </ul>
          </section>`
        );
      })}
    </div>`,
  };
}

function tile({ model_slug, name, description, modality, ...price }: Model): Markup {
  const [sample] = samplesOf(model_slug);
  return html`<a class="model-tile" href=${modelPath(model_slug)}>
    ${sample ? picture(sample) : html`<span class="model-tile__none">${icon(MODALITY_ICONS[modality])}</span>`}
    <span class="model__name">${name}</span>
    <span class="model__price">${priceInWords(pricingOf(price))}</span>
    <span>${description}</span>
  </a>`;
}

/** Empty if every unit has the same price. */
function prices(model: Model): Markup | false {
  const { unit, default: usual, rules } = pricingOf(model);
  if (rules.length === 0) return false;
  return html`<section class="stack" aria-labelledby=${PRICES_ID}>
    <h2 id=${PRICES_ID}>Prices</h2>
    ${table({
      caption: `Credits per ${UNIT_WORDS[unit]}. The first line that fits applies.`,
      columns: ["For", { label: "Credits", isNumber: true }],
      rows: [
        ...rules.map(({ when, credits }) => [conditions(when), count(credits)]),
        ["Everything else", count(usual)],
      ],
    })}
  </section>`;
}

/** For example "Resolution 1080p, audio yes". */
function conditions(when: Readonly<Record<string, unknown>>): string {
  return Object.entries(when)
    .map(([name, value]) => `${labelOf({ name })} ${inWords(name, value)}`)
    .join(", ");
}

function modelPage(model: Model, person: Person | undefined, baseUrl: string): Page {
  const { model_slug, name, description, max_prompt_length, estimated_seconds, params_schema } = model;
  const samples = samplesOf(model_slug);
  return {
    ...pageOf({ path: modelPath(model_slug), title: name, description }, person, baseUrl),
    body: html`<div class="stack stack--loose">
      <nav aria-label="Breadcrumb"><a href=${MODELS_PATH}>Models</a></nav>
      <div class="stack">
        <h1>${name}</h1>
        <p class="lead">${description}</p>
        <p>
          ${priceInWords(pricingOf(model))}. Takes about${" "}
          ${counted(Math.max(1, Math.round(estimated_seconds)), "second")}, and up to${" "}
          ${counted(max_prompt_length, "character")} of text.
        </p>
        <p>${linkButton({ href: modelAddress(model_slug), label: `Try ${name}` })}</p>
      </div>
      ${
        samples.length > 0 &&
        html`<section class="stack" aria-labelledby="works-heading">
          <h2 id="works-heading">Made with it</h2>
          <ul class="model-tiles">
            ${samples.map((sample) => html`<li>${work(sample)}</li>`)}
          </ul>
        </section>`
      }
      ${prices(model)}
      <section class="stack" aria-labelledby="takes-heading">
        <h2 id="takes-heading">What it takes</h2>
        <dl class="fact-rows">
          ${paramsOf(params_schema).map(
            (param) =>
              html`<div>
                <dt>${labelOf(param)}</dt>
                <dd>
                  ${param.hint ?? (param.fallback === "" ? "Optional." : `${param.fallback}, if you say nothing.`)}
                </dd>
              </div>`,
          )}
        </dl>
      </section>
    </div>`,
  };
}

function work(sample: Sample): Markup {
  return html`<div class="stack model-work">
    ${shown(sample)}
    <p class="note">“${sample.prompt}”</p>
    <a href=${exampleAddress(sample.id)}
      >Begin from this<span class="aside-from-sight">: ${sample.prompt}</span></a
    >
  </div>`;
}

function shown(sample: Sample): Markup {
  const media = mediaOf(sample);
  const { address, width, height } = pictureOf(sample, "medium");
  if (sample.modality === "video")
    return html`<video
      src=${media}
      poster=${address}
      width=${width}
      height=${height}
      preload="none"
      controls
      loop
      muted
      playsinline
      aria-label=${sample.prompt}
    ></video>`;
  if (sample.modality === "audio")
    return html`${picture(sample)}<audio
        src=${media}
        controls
        preload="none"
        aria-label=${sample.prompt}
      ></audio>`;
  return picture(sample);
}

function picture(sample: Sample): Markup {
  const { address, width, height } = pictureOf(sample, "medium");
  return html`<img src=${address} width=${width} height=${height} alt="" loading="lazy" />`;
}
