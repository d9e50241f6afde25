// Prompts to begin from, with what was made of them: one press fills the form.
import { type Markup, html } from "../design/markup.js";
import { pictureOf, type Sample, samplesOf } from "../samples/samples.ts";
import { exampleAddress } from "./paths.ts";

/** Nothing for a model that is not ours. Closed where the page has a work to show. */
export function exampleStrip(model: string, { isOpen }: { isOpen: boolean }): Markup | false {
  const samples = samplesOf(model);
  return (
    samples.length > 0 &&
    html`<details class="more examples" open=${isOpen}>
      <summary>Begin with an example</summary>
      <ul class="examples__list">
        ${samples.map((sample) => html`<li>${example(sample)}</li>`)}
      </ul>
    </details>`
  );
}

function example(sample: Sample): Markup {
  const { address, width, height } = pictureOf(sample, "small");
  return html`<a class="example" href=${exampleAddress(sample.id)}>
    <img src=${address} width=${width} height=${height} alt="" loading="lazy" />
    <span class="example__prompt">${sample.prompt}</span>
  </a>`;
}
