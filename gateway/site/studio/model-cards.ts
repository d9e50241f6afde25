// Choosing a modality and a model: links, each with a sample of the model.
import { MODALITIES, type Modality } from "../../../proto/resources/job.ts";
import { priceInWords, pricingOf } from "../../../proto/resources/pricing.ts";
import { icon } from "../design/icon.ts";
import { type Markup, html } from "../design/markup.js";
import { pictureOf, samplesOf } from "../samples/samples.ts";
import { inputParamFor, type WantedInput } from "./ask-inputs.ts";
import type { Model } from "./draft.ts";
import { MODALITY_ICONS, MODALITY_WORDS } from "./job-words.ts";
import { type InputName, modalityAddress, modelAddress } from "./paths.ts";

type Choice = {
  readonly models: readonly Model[];
  readonly model: Model;
  readonly wanted?: WantedInput | undefined;
};

export function modalityTabs({ models, model, wanted }: Choice): Markup {
  const offered = MODALITIES.filter((modality) => models.some((one) => one.modality === modality));
  const of = (modality: Modality) => models.filter((one) => one.modality === modality);
  return html`<nav class="tabs" aria-label="What to make">
    <ul>
      ${offered.map(
        (modality) =>
          html`<li>
            <a
              href=${modalityAddress(modality, inputFor(of(modality), wanted))}
              aria-current=${modality === model.modality ? "true" : undefined}
              >${icon(MODALITY_ICONS[modality])}${MODALITY_WORDS[modality]}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
}

export function modelCards({ models, model: chosen, wanted }: Choice): Markup {
  return html`<nav aria-label="Model">
    <ul class="models">
      ${models
        .filter(({ modality }) => modality === chosen.modality)
        .map(
          (model) =>
            html`<li>
              <a
                class="model"
                href=${modelAddress(model.model_slug, inputFor([model], wanted))}
                aria-current=${model.model_slug === chosen.model_slug ? "true" : undefined}
              >
                ${sampleOf(model)}
                <span class="model__name">${model.name}</span>
                <span class="model__price">${priceInWords(pricingOf(model))}</span>
              </a>
            </li>`,
        )}
    </ul>
  </nav>`;
}

/** The description is beside the picture. */
function sampleOf({ model_slug, modality }: Model): Markup {
  const [sample] = samplesOf(model_slug);
  if (!sample) return html`<span class="model__sample">${icon(MODALITY_ICONS[modality])}</span>`;
  const { address, width, height } = pictureOf(sample, "small");
  return html`<img class="model__sample" src=${address} width=${width} height=${height} alt="" />`;
}

/** Passes the input on to models that can take it. */
function inputFor(models: readonly Model[], wanted: WantedInput | undefined): InputName | undefined {
  const isTaken = wanted && models.some((model) => inputParamFor(model, wanted.kind));
  return isTaken ? { outputId: wanted.outputId, jobId: wanted.job.job_id } : undefined;
}
