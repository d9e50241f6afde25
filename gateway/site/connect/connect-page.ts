// /connect: configuration for assistants to copy, and a place to call the tools with one's own key.
import type { FastifyInstance } from "fastify";
import { linkButton } from "../design/button.ts";
import { copyButton } from "../design/copy-button.ts";
import { notice } from "../design/notice.ts";
import { type Markup, html } from "../design/markup.js";
import { renderPage } from "../layout/render-page.ts";
import { currentPerson } from "../session/current-person.ts";
import type { SiteOptions } from "../layout/site-options.ts";
import { type Assistant, assistants } from "./assistants.ts";

const PATH = "/connect";
const GENERATION_PATH = "/api/mcp";
const MEMBER_PATH = "/api/member/mcp";

export function connectPage(app: FastifyInstance, { baseUrl, generationBaseUrl }: SiteOptions): void {
  const generation = generationBaseUrl + GENERATION_PATH;
  const member = baseUrl + MEMBER_PATH;
  const isOneOrigin = generationBaseUrl === baseUrl;
  app.get(PATH, async (request, reply) => {
    const person = await currentPerson(request);
    return renderPage(reply, {
      title: "Connect an assistant",
      description:
        "Configuration for Claude Code, Cursor, VS Code, Codex and scripts, and a place to try the tools.",
      path: PATH,
      styles: ["connect.css"],
      scripts: ["copy.js", "try-tools.js"],
      ...(person && { person }),
      ...(!isOneOrigin && { callsTo: [generationBaseUrl] }),
      body: html`<div class="stack stack--loose connect">
        <div class="stack">
          <h1>Connect an assistant</h1>
          <p class="lead">
            Assistants that speak the Model Context Protocol can generate with your credits, and help members
            with the catalog. Each sends a key of yours with every request.
          </p>
        </div>
        ${endpoints({ generation, member, isSignedIn: person !== undefined })}
        <section class="stack">
          <h2>Set it up</h2>
          ${assistants(generation).map(section)}
          ${notice({
            tone: "info",
            title: "Assistants that cannot send a key",
            body: "There is no OAuth here. Apps whose connectors offer nothing else, as several web and phone apps do, cannot connect directly.",
            isNews: false,
          })}
        </section>
        <section class="card stack" aria-labelledby="try">
          <h2 id="try">Try it</h2>
          <p>
            Your key goes from this page straight to the endpoint. It is kept in the memory of this tab alone,
            and gone when you leave.
          </p>
          <div
            id="try-tools"
            data-generation=${isOneOrigin ? GENERATION_PATH : generation}
            data-member=${MEMBER_PATH}
          >
            <p>Calling the tools from this page takes JavaScript. The script above does the same.</p>
          </div>
        </section>
      </div>`,
    });
  });
}

type Endpoints = { generation: string; member: string; isSignedIn: boolean };

function endpoints({ generation, member, isSignedIn }: Endpoints): Markup {
  return html`<div class="connect__endpoints">
    <section class="card stack">
      <h2>Generate</h2>
      <p>Images, video and audio, jobs and credits. Takes a generation key with write scope.</p>
      ${address("generation-address", generation)}
      <p>
        ${linkButton({
          href: isSignedIn ? "/account/keys" : "/sign-in?next=/account/keys",
          label: isSignedIn ? "Make a key" : "Sign in to make a key",
        })}
      </p>
    </section>
    <section class="card stack">
      <h2>For members</h2>
      <p>
        Catalog, licences and pages to buy on, and generation where the plan includes it. Takes a member key.
      </p>
      ${address("member-address", member)}
      <p class="note">Support gives member keys out and takes them back; no page makes one.</p>
    </section>
  </div>`;
}

function address(id: string, url: string): Markup {
  return html`<p class="cluster">
    <code id=${id}>${url}</code>${copyButton({ of: id, what: "the address" })}
  </p>`;
}

function section({ name, place, code }: Assistant): Markup {
  const id = `code-${name.toLowerCase().replaceAll(" ", "-")}`;
  return html`<section class="stack connect__assistant">
    <div class="cluster cluster--apart">
      <h3>${name}</h3>
      ${copyButton({ of: id, what: `the configuration for ${name}` })}
    </div>
    <p>${place}</p>
    <pre
      tabindex="0"
      role="region"
      aria-label=${`Configuration for ${name}`}
    ><code id=${id}>${code}</code></pre>
  </section>`;
}
