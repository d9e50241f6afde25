// Passkeys on the settings page: the list, adding one with a script, and removing one.
import type { Passkey } from "../../../proto/types/atelier/v1/Passkey.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { button } from "../design/button.ts";
import { textField } from "../design/field.ts";
import { html, type Markup } from "../design/markup.js";
import { table } from "../design/table.ts";
import { dateOf, timeOf } from "../design/time.ts";
import { type Person, personCall } from "../session/current-person.ts";
import { passkeyForm, passkeySite, startedPasskey } from "../session/passkeys.ts";
import { confirmedAction, csrfField } from "./account-frame.ts";

export const PASSKEYS_PATH = "/account/passkeys";
const START_PATH = "/account/api/passkeys/start";

export function passkeyJson(app: GatewayApp, options: GatewayOptions): void {
  app.post(START_PATH, async (request, reply) => {
    const { host } = passkeySite(request, options);
    return startedPasskey(reply, await options.core.sessions.StartPasskey({ host }, personCall(request)));
  });
}

export function passkeysPart(
  person: Person,
  passkeys: readonly Passkey[],
  name: { value: string; error: string | undefined },
): Markup | false {
  if (person.issuedElsewhere) return false;
  return html`<section class="card stack" aria-labelledby="passkeys">
    <h2 id="passkeys">Passkeys</h2>
    <p>Sign in with your fingerprint, face or screen lock instead of a code from your mailbox.</p>
    ${
      passkeys.length > 0 &&
      table({
        caption: "Your passkeys",
        columns: ["Name", "Added", "Last used", "Remove"],
        rows: passkeys.map(({ passkey_id, name: called, created_at, last_used_at }) => [
          called,
          dateOf(created_at),
          last_used_at ? timeOf(last_used_at) : "never",
          confirmedAction(person, {
            action: `${PASSKEYS_PATH}/${encodeURIComponent(passkey_id)}/remove`,
            label: "Remove",
            of: called,
            question: "It no longer signs in here. Browsers that are signed in stay so.",
          }),
        ]),
      })
    }
    <p class="note" data-no-passkeys>This browser can’t add a passkey here.</p>
    ${passkeyForm({
      action: PASSKEYS_PATH,
      // If the session is too old, the form leads to sign-in first.
      start: person.fresh ? START_PATH : "",
      body: html`${csrfField(person)}
        <div class="settings__row">
          ${textField({ name: "passkey_name", label: "Name of the passkey", maxLength: 100, required: true, ...name })}
          ${button({ label: "Add a passkey", kind: "quiet" })}
        </div>`,
    })}
  </section>`;
}
