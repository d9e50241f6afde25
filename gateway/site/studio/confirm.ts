// /account/confirm/{id}: what a key asks to spend above the amount that it may spend alone. The person says yes or no.
import { z } from "zod";
import { fromMessage } from "../../../proto/codec.ts";
import { approvalSchema } from "../../../proto/resources/confirmation.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { sendAccountPage } from "../account/account-frame.ts";
import { personCall } from "../session/current-person.ts";
import { formOf } from "../session/forms.ts";
import { confirmBody, confirmTitle } from "./confirm-page.ts";
import { confirmPath } from "./paths.ts";

const PATH = confirmPath(":confirmation_id");
const params = z.object({ confirmation_id: z.string().max(64) });

export function confirmPages(app: GatewayApp, { core }: GatewayOptions): void {
  app.get(PATH, { schema: { params } }, async (request, reply) => {
    const { person } = request;
    const found = await core.accounts.GetConfirmation(request.params, personCall(request));
    const confirmation = fromMessage(approvalSchema, found);
    return sendAccountPage(reply, {
      path: "/account/keys",
      title: confirmTitle(confirmation),
      body: confirmBody(person, confirmation),
      styles: ["studio.css"],
    });
  });

  app.post(PATH, { schema: { params } }, async (request, reply) => {
    const { confirmation_id } = request.params;
    // Whatever is no yes is a no.
    const yes = formOf(request).get("answer") === "yes";
    await core.accounts.AnswerConfirmation({ confirmation_id, yes }, personCall(request));
    return reply.redirect(confirmPath(confirmation_id), 303);
  });
}
