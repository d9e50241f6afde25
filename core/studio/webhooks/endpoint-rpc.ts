// The part of the Callbacks service for events of the account and its endpoints, and of Accounts for the secret that signs them.
import { z } from "zod";
import { toMessage, toMessages } from "../../../proto/codec.ts";
import { deliverySchema } from "../../../proto/resources/callback.ts";
import {
  ENDPOINT_CHANGES,
  endpointSchema,
  eventSchema,
  eventsQuerySchema,
} from "../../../proto/resources/event.ts";
import { parseRequest } from "../../../proto/resources/issues.ts";
import type { AccountsDefinition } from "../../../proto/types/atelier/v1/Accounts.ts";
import type { CallbacksDefinition } from "../../../proto/types/atelier/v1/Callbacks.ts";
import { authenticate } from "../../identity/accounts/authenticate.ts";
import { signedInAccount } from "../../identity/accounts/signed-in-account.ts";
import type { App } from "../../kernel/app.ts";
import { readEvents } from "../../kernel/events/record.ts";
import { given } from "../../kernel/page.ts";
import type { Handlers } from "../../kernel/rpc.ts";
import {
  addEndpoint,
  changeEndpoint,
  resendEvent,
  type ShownEndpoint,
  toEndpoint,
  watchEvents,
} from "./account-endpoints.ts";
import { toDelivery } from "./resource.ts";
import {
  getCallbackSecretState,
  rotateCallbackSecret,
  type Rotation,
  switchCallbackSecret,
} from "./secret.ts";
import { findEndpoints } from "./store-endpoints.ts";

const changeSchema = z.object({ change: z.enum(ENDPOINT_CHANGES) });

export function endpointHandlers(app: App) {
  return {
    async ListEvents({ after, limit }, { caller }) {
      const { account } = await authenticate(app, caller, "read");
      const query = parseRequest(eventsQuerySchema, given({ after, limit }));
      if (!account.events_on) await watchEvents(app, account._id);
      const { rows, hasMore } = await readEvents(app, account._id, query);
      const events = rows.map(({ _id: event_id, seq, event, created_at, data }) => {
        return { event_id, seq, event, created_at: created_at.toISOString(), data };
      });
      return { events: toMessages(eventSchema, events), has_more: hasMore };
    },
    async ListEndpoints(_request, { caller }) {
      const found = await findEndpoints(app.mongo.db, [await signedInAccount(app, caller)]);
      return { endpoints: toMessages(endpointSchema, found.map(toEndpoint)) };
    },
    async AddEndpoint(request, { caller }) {
      return encode(await addEndpoint(app, await signedInAccount(app, caller), request));
    },
    async ChangeEndpoint({ endpoint_id: endpointId, change: asked }, { caller }) {
      const accountId = await signedInAccount(app, caller);
      const { change } = parseRequest(changeSchema, { change: asked });
      return encode(await changeEndpoint(app, { accountId, endpointId }, change));
    },
    async ResendEvent({ delivery_id: deliveryId }, { caller }) {
      const accountId = await signedInAccount(app, caller);
      return toMessage(deliverySchema, toDelivery(await resendEvent(app, accountId, deliveryId)));
    },
  } satisfies Partial<Handlers<CallbacksDefinition>>;
}

function encode({ endpoint, secret = "" }: ShownEndpoint) {
  return { endpoint: toMessage(endpointSchema, toEndpoint(endpoint)), secret };
}

export function callbackSecretHandlers(app: App) {
  return {
    async GetCallbackSecretState(_request, { caller }) {
      const { known, ...rotation } = await getCallbackSecretState(app, await signedInAccount(app, caller));
      return { known, ...encodeRotation(rotation) };
    },

    async RotateCallbackSecret(_request, { caller }) {
      const { secret, ...rotation } = await rotateCallbackSecret(app, await signedInAccount(app, caller));
      return { secret, ...encodeRotation(rotation) };
    },

    async SwitchCallbackSecret(_request, { caller }) {
      const rotation = await switchCallbackSecret(app, await signedInAccount(app, caller));
      return { known: true, ...encodeRotation(rotation) };
    },
  } satisfies Partial<Handlers<AccountsDefinition>>;
}

function encodeRotation({ switchesAt, previousUntil }: Rotation) {
  return {
    switches_at: switchesAt?.toISOString() ?? "",
    previous_until: previousUntil?.toISOString() ?? "",
  };
}
