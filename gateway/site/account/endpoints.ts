// A section of the webhooks page: the endpoints that receive the account's events.
import type { AppError } from "../../../proto/codes.ts";
import { EVENT_TYPES, type EndpointResource, MAX_ENDPOINTS } from "../../../proto/resources/event.ts";
import { badge } from "../design/badge.ts";
import { button } from "../design/button.ts";
import { checkbox, textField } from "../design/field.ts";
import { html, type Markup } from "../design/markup.js";
import { table } from "../design/table.ts";
import { timeOf } from "../design/time.ts";
import { issueAt } from "../layout/error-words.ts";
import type { Person } from "../session/current-person.ts";
import { actionForm, confirmedAction, csrfField } from "./account-frame.ts";

const PATH = "/account/callbacks/endpoints";

/** What the person typed when adding an endpoint was refused. */
export type AskedEndpoint = { readonly url: string; readonly events: readonly string[] };
type Adding = { readonly asked: AskedEndpoint | undefined; readonly refused: AppError | undefined };

export function endpointsSection(
  person: Person,
  endpoints: readonly EndpointResource[],
  adding: Adding,
): Markup {
  return html`<section class="stack" id="endpoints" aria-labelledby="endpoints-heading">
    <h2 id="endpoints-heading">Endpoints</h2>
    <p>
      An endpoint receives events of your whole account, such as <code>order.fulfilled</code> or${" "}
      <code>credits.low</code>. Each has its own secret. The webhook URL of a single request needs no
      endpoint.
    </p>
    ${
      endpoints.length > 0 &&
      table({
        caption: "Your endpoints",
        columns: ["Address", "Events", "State", "Actions"],
        rows: endpoints.map((endpoint) => [
          html`<code>${endpoint.url}</code>`,
          endpoint.events.join(", "),
          stateOf(endpoint),
          actionsOf(person, endpoint),
        ]),
      })
    }
    ${endpoints.length < MAX_ENDPOINTS ? addForm(person, adding) : html`<p class="note">You have ${MAX_ENDPOINTS} endpoints, the most possible.</p>`}
  </section>`;
}

function stateOf({ status, failing_since: since }: EndpointResource): Markup {
  if (status === "disabled") return badge({ label: "Disabled", tone: "danger" });
  return since === null
    ? badge({ label: "Enabled", tone: "success" })
    : html`${badge({ label: "Failing", tone: "danger" })} since ${timeOf(since)}`;
}

function actionsOf(person: Person, { endpoint_id, url, status }: EndpointResource): Markup {
  const action = (name: string) => `${PATH}/${endpoint_id}/${name}`;
  return html`<div class="cluster">
    ${status === "disabled" && actionForm(person, { action: action("enable"), label: "Enable", of: url, kind: "primary" })}
    ${actionForm(person, { action: action("test"), label: "Send a test event", of: `to ${url}` })}
    ${confirmedAction(person, {
      action: action("rotate"),
      label: "Create a new secret",
      of: `for ${url}`,
      question: "You see the new secret once. The current one signs next to it for 48 hours.",
    })}
    ${confirmedAction(person, {
      action: action("remove"),
      label: "Remove",
      of: url,
      question: "No more events are sent to it. Its deliveries stay in the log for 30 days.",
    })}
  </div>`;
}

function addForm(person: Person, { asked, refused }: Adding): Markup {
  const noEvents = issueAt(refused, "events") && "Choose at least one.";
  return html`<form class="card stack" method="post" action=${PATH}>
    <h3>Add an endpoint</h3>
    ${csrfField(person)}
    ${textField({
      name: "url",
      label: "Endpoint address",
      type: "url",
      value: asked?.url ?? "",
      required: true,
      maxLength: 2048,
      autocomplete: "off",
      error: issueAt(refused, "url"),
    })}
    <fieldset class="field field--group" aria-describedby=${noEvents && "events-error"}>
      <legend class="field__label">Events</legend>
      <div class="form-row">
        ${EVENT_KINDS.map((types) => html`<div>${types.map((type) => eventBox(type, asked))}</div>`)}
      </div>
      ${noEvents && html`<p class="field__error" id="events-error">${noEvents}</p>`}
    </fieldset>
    ${button({ label: "Add endpoint", kind: "primary" })}
  </form>`;
}

/** The event types by kind, each with the one for the whole kind first: `job.*`, `job.completed`, `job.failed`. */
const EVENT_KINDS = EVENT_TYPES.filter((type) => type.endsWith(".*")).map((all) =>
  EVENT_TYPES.filter((type) => type.startsWith(all.slice(0, -1))),
);

function eventBox(type: string, asked: AskedEndpoint | undefined): Markup {
  const label = type.endsWith(".*") ? `${type} (all)` : type;
  return checkbox({
    name: "events",
    value: type,
    label,
    checked: asked?.events.includes(type) ?? false,
  });
}
