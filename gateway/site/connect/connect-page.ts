// The contents of /connect: a key, instructions for each assistant, and a place to try the tools.
import type { AppError } from "../../../proto/codes.ts";
import type { Trial } from "../../../proto/types/atelier/v1/Trial.ts";
import { csrfField } from "../account/account-frame.ts";
import { budgetFields, type KeyBudgetForm, NO_BUDGET } from "../account/budget-fields.ts";
import { hasApi, trialCard } from "../account/trial.ts";
import { button, linkButton } from "../design/button.ts";
import { copyButton } from "../design/copy-button.ts";
import { date } from "../design/format.ts";
import { type Markup, html } from "../design/markup.js";
import { notice } from "../design/notice.ts";
import { refusalNotice } from "../layout/refusal-notice.ts";
import type { Page } from "../layout/render-page.ts";
import type { Person } from "../session/current-person.ts";
import { type Assistant, assistants, CHECKED_ON, libraries } from "./assistants.ts";
import { BUNDLE_PATH, CONNECT_PATH, KEY_PATH } from "./paths.ts";

export type ConnectView = {
  /** The addresses of the endpoints. */
  generation: string;
  member: string;
  catalog: string;
  /** Where the page's script calls the endpoints, and whether that is another origin. */
  callsTo: { generation: string; member: string; otherOrigin: string | undefined };
  person: Person | undefined;
  /** Whether the person's plan includes the API, or can be tried. */
  trial: Trial | undefined;
  /** A key that was just created, in the only response that shows it. */
  secret?: string;
  /** The limits as they were typed. */
  budget?: KeyBudgetForm;
  /** Why no key was created. */
  refusal?: AppError;
  /** The slug of the assistant that is shown. */
  client: string;
};

const FORM = "make-key";

export function connectPage(view: ConnectView): Page {
  const { callsTo } = view;
  return {
    title: "Connect an assistant",
    description:
      "Claude, ChatGPT, Cursor, VS Code, Windsurf, Zed, Codex, Gemini CLI, Goose and libraries, and a place to try the tools.",
    path: CONNECT_PATH,
    styles: ["connect.css"],
    scripts: ["copy.js", "try-tools.js"],
    ...(callsTo.otherOrigin !== undefined && { callsTo: [callsTo.otherOrigin] }),
    body: html`<div class="stack stack--loose connect">
      <div class="stack">
        <h1>Connect an assistant</h1>
        <p class="lead">
          Assistants that speak the Model Context Protocol can generate with your credits, and help members
          with the catalog. Each sends a key of yours with every request.
        </p>
      </div>
      ${keyPart(view)} ${clientsPart(view)} ${librariesPart(view)} ${bundlePart()} ${tryPart(view)}
      ${memberPart(view)}
    </div>`,
  };
}

function keyPart(view: ConnectView): Markup {
  return html`<section class="card stack" aria-labelledby="key-heading">
    <h2 id="key-heading">1. Get a key</h2>
    ${keyBody(view)}
  </section>`;
}

function keyBody({ person, trial, secret, budget = NO_BUDGET, refusal }: ConnectView): Markup {
  if (secret !== undefined)
    return html`${notice({
        tone: "warning",
        title: "This is your new key. Copy it now: it is not shown again.",
        body: "It is filled in below, on this page alone. Anyone who has it can spend your credits.",
      })}
      <div class="connect__key">
        <code id="secret">${secret}</code>${copyButton({ of: "secret", what: "the new key" })}
      </div>`;
  if (!person || !trial)
    return html`<p>With an account you create a key here, and it is filled in below.</p>
      <p>${linkButton({ href: `/sign-in?next=${CONNECT_PATH}`, label: "Sign in to create a key" })}</p>`;
  if (!hasApi(trial)) return html`${trialCard(person, trial)}`;
  return html`${trialCard(person, trial)} ${refusal && refusalNotice(refusal)}
    <p>
      The key may generate, which spends your credits. In the settings you can change its limits, roll it and
      revoke it.
    </p>
    <form class="stack" id=${FORM} method="post" action=${KEY_PATH}>
      ${csrfField(person)}
      <div class="form-row">
        ${budgetFields(budget, {
          refusal,
          limitHint: "In credits. Without one it may spend all of yours.",
        })}
      </div>
      <div class="cluster">${button({ label: "Create key" })} <a href="/account/keys">Your keys</a></div>
    </form>`;
}

function clientsPart({ generation, catalog, secret, client }: ConnectView): Markup {
  const all = assistants(generation, catalog, secret);
  const shown = all.some(({ slug }) => slug === client) ? client : all[0]?.slug;
  return html`<section class="card stack connect__clients" aria-labelledby="clients-heading">
    <h2 id="clients-heading">2. Your assistant</h2>
    <fieldset class="connect__tabs">
      <legend class="aside-from-sight">Which one</legend>
      ${all.map(
        ({ slug, name }) =>
          html`<label class="connect__tab"
            ><input type="radio" name="client" form=${FORM} value=${slug} checked=${slug === shown} /><span
              >${name}</span
            ></label
          >`,
      )}
    </fieldset>
    ${all.map(panel)}
    <p class="note">
      From the documentation of these programs on ${date(CHECKED_ON)}. The programs themselves were not tried.
    </p>
  </section>`;
}

function panel(assistant: Assistant): Markup {
  const { slug, name, add, note } = assistant;
  return html`<div class="connect__panel stack" data-client=${slug}>
    <h3 class="aside-from-sight">${name}</h3>
    ${add && html`<p>${linkButton({ href: add.href, label: add.label })}</p>`} ${configuration(assistant)}
    ${note !== undefined && html`<p class="note">${note}</p>`}
  </div>`;
}

function configuration({ slug, name, place, code }: Assistant): Markup {
  const id = `code-${slug}`;
  return html`<div class="cluster cluster--apart">
      <p>${place}</p>
      ${copyButton({ of: id, what: `the configuration for ${name}` })}
    </div>
    <pre
      tabindex="0"
      role="region"
      aria-label=${`Configuration for ${name}`}
    ><code id=${id}>${code}</code></pre>`;
}

function librariesPart({ generation }: ConnectView): Markup {
  return html`<section class="card stack" aria-labelledby="libraries-heading">
    <h2 id="libraries-heading">In an agent of your own</h2>
    <p>These libraries send a key with every request. The lines print the names of the tools.</p>
    ${libraries(generation).map(
      (library) =>
        html`<details>
          <summary>${library.name}</summary>
          <div class="stack">${configuration(library)}</div>
        </details>`,
    )}
  </section>`;
}

function bundlePart(): Markup {
  return html`<section class="card stack" aria-labelledby="bundle-heading">
    <h2 id="bundle-heading">For desktop apps: one file</h2>
    <p>
      Download the bundle and open it with Claude Desktop, or another app that takes such bundles. The app
      shows what it is, asks for your key and keeps it.
    </p>
    <p>${linkButton({ href: BUNDLE_PATH, label: "Download atelier.mcpb", kind: "quiet" })}</p>
  </section>`;
}

function tryPart({ callsTo }: ConnectView): Markup {
  return html`<section class="card stack" aria-labelledby="try">
    <h2 id="try">3. Try it</h2>
    <p>
      Your key goes from this page straight to the endpoint. It is kept in the memory of this tab alone, and
      gone when you leave.
    </p>
    <div id="try-tools" data-generation=${callsTo.generation} data-member=${callsTo.member}>
      <p>
        Calling the tools from this page takes JavaScript. The request under “Scripts”, in step 2, does the
        same.
      </p>
    </div>
  </section>`;
}

function memberPart({ catalog, generation, member }: ConnectView): Markup {
  return html`<section class="stack" aria-labelledby="addresses">
    <h2 id="addresses">Addresses</h2>
    <dl class="connect__addresses">
      <dt>To look around</dt>
      <dd class="cluster">
        <code id="catalog-address">${catalog}</code
        >${copyButton({ of: "catalog-address", what: "the address for looking around" })}
      </dd>
      <dt>To generate</dt>
      <dd class="cluster">
        <code id="generation-address">${generation}</code
        >${copyButton({ of: "generation-address", what: "the address" })}
      </dd>
      <dt>For members</dt>
      <dd class="cluster">
        <code id="member-address">${member}</code
        >${copyButton({ of: "member-address", what: "the address for members" })}
      </dd>
    </dl>
    <p class="note">
      Looking around needs no key: an assistant that cannot keep one still finds products, models and plans
      there. Members’ assistants reach catalog, licences and pages to buy on with a member key, which support
      gives out and takes back. <a href="/support/new?kind=member_key">Ask for one</a>.
    </p>
  </section>`;
}
