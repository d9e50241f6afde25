// A new key in the only response that shows it: the key, a request to try, and the next steps.
import type { ApiKeyResource } from "../../../proto/resources/api-key.ts";
import { copyButton } from "../design/copy-button.ts";
import { credits } from "../design/format.ts";
import { type Children, html, type Markup } from "../design/markup.js";
import { shownOnce } from "./account-frame.ts";

export type MadeKey = {
  readonly secret: string;
  readonly key: ApiKeyResource;
  /** The base address of the API. */
  readonly api: string;
  /** A model for the request to try; undefined if no model makes pictures. */
  readonly model: { readonly model_slug: string; readonly credits: number } | undefined;
};

export function madeKey(made: MadeKey, more?: Children): Markup {
  const { secret, key } = made;
  return shownOnce({
    title: "This is your new key. Copy it now: it is not shown again.",
    secret,
    what: "the new key",
    body: html`Keep it where only your program reads it, never in an address, a page or a public repository.
    Anyone who has it can ${key.scope === "write" ? "spend your credits" : "read what you made"}. ${more}`,
    after: tryIt(made),
  });
}

function tryIt({ secret, key, api, model }: MadeKey): Markup {
  const writes = key.scope === "write" && model !== undefined;
  const request = writes
    ? `curl -s ${api}/api/v1/connect/generate \\
  -H "Authorization: Bearer ${secret}" \\
  -H "Content-Type: application/json" -H "Prefer: wait=60" \\
  -d '{"modality":"image","model_slug":"${model.model_slug}","prompt":"a lighthouse at dawn"}'`
    : `curl -s ${api}/api/models -H "Authorization: Bearer ${secret}"`;
  return html`<div class="stack stack--snug made-key__try">
    <div class="cluster cluster--apart">
      <h2>Try it</h2>
      ${copyButton({ of: "try-key", what: "the request" })}
    </div>
    <p>
      ${
        writes
          ? `In a terminal. It makes a picture and costs ${credits(model.credits)}.`
          : "In a terminal. It lists the models and costs nothing."
      }
    </p>
    <pre
      tabindex="0"
      role="region"
      aria-label="A request to try the key with"
    ><code id="try-key">${request}</code></pre>
    <p class="cluster">
      <a href="/docs">Guides, and clients for JavaScript and Python</a>
      ${key.scope === "write" && html`<a href="/connect">Connect an assistant</a>`}
    </p>
  </div>`;
}
