// The key that samples use. No key is stored in plain text, so the page shows the name of the reader's key and a link to create one.
import type { FastifyRequest } from "fastify";
import type { CoreClient } from "../../../proto/client.ts";
import { fromMessages } from "../../../proto/codec.ts";
import { type ApiKeyResource, apiKeySchema } from "../../../proto/resources/api-key.ts";
import { type Markup, html } from "../design/markup.js";
import { type Person, personCall } from "../session/current-person.ts";

const KEYS_PATH = "/account/keys";

/** "no one" means not signed in; undefined means no active key. */
type OwnKey = Pick<ApiKeyResource, "name" | "masked"> | "nobody" | undefined;

/** The newest active key, preferably with write access. */
export async function askOwnKey(core: CoreClient, request: FastifyRequest, person: Person): Promise<OwnKey> {
  const { keys } = await core.accounts.ListKeys({}, personCall(request, person));
  const now = new Date().toISOString();
  const live = fromMessages(apiKeySchema, keys)
    .filter(({ revoked_at, expires_at }) => revoked_at === null && (expires_at === null || expires_at > now))
    .sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
  return live.find(({ scope }) => scope === "write") ?? live[0];
}

export function keyNote(key: OwnKey): Markup {
  const variable = html`<code>ATELIER_KEY</code>`;
  if (key === "nobody")
    return note(
      html`Samples read your key from ${variable}.${" "}
        <a href=${`/sign-in?next=${KEYS_PATH}`}>Sign in to make one</a>.`,
    );
  if (key === undefined)
    return note(
      html`Samples read your key from ${variable}. You have none yet: <a href=${KEYS_PATH}>make one</a>.`,
    );
  const own = html`<strong>${key.name}</strong> (<code>${key.masked}</code>)`;
  const another = html`<a href=${KEYS_PATH}>make another</a>`;
  return note(
    html`Samples read your key from ${variable}: put ${own} there. It was shown once, when it was made; if it
    is lost, ${another}.`,
  );
}

function note(text: Markup): Markup {
  return html`<p class="docs__key">${text}</p>`;
}
