// /account/confirm/{id}: what a key asks to spend above the amount that it may spend alone. The person says yes or no.
import type { FastifyReply } from "fastify";
import { z } from "zod";
import { fromMessage, fromMessages } from "../../../proto/codec.ts";
import { AppError, expectedError } from "../../../proto/codes.ts";
import { apiKeySchema } from "../../../proto/resources/api-key.ts";
import { approvalSchema } from "../../../proto/resources/confirmation.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { sendAccountPage } from "../account/account-frame.ts";
import { toLimit } from "../account/budget-fields.ts";
import { personCall } from "../session/current-person.ts";
import { formOf } from "../session/forms.ts";
import { confirmBody, confirmTitle, expiredPage, type RefusedRaise } from "./confirm-page.ts";
import { askModelLinks } from "./model-names.ts";
import { confirmPath } from "./paths.ts";

const PATH = confirmPath(":confirmation_id");
const params = z.object({ confirmation_id: z.string().max(64) });

export function confirmPages(app: GatewayApp, { core }: GatewayOptions): void {
  app.get(PATH, { schema: { params } }, (request, reply) =>
    showConfirm(reply, core, request.params.confirmation_id),
  );

  app.post(PATH, { schema: { params } }, async (request, reply) => {
    const { confirmation_id } = request.params;
    const sent = formOf(request);
    const [answer, typed] = [sent.get("answer"), sent.get("raise_to").trim()];
    const raises = answer === "raise";
    // Every other answer is a no.
    const yes = answer === "yes" || raises;
    const given = { confirmation_id, yes, raise_to: raises ? toLimit(typed) : undefined };
    try {
      await core.accounts.AnswerConfirmation(given, personCall(request));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // The price has changed.
      const another = error.facts?.["confirmation_id"];
      if (another !== undefined) return reply.redirect(confirmPath(another), 303);
      // It has expired, or its key has ended: the page says which.
      if (error.code === "not_found") return showConfirm(reply, core, confirmation_id);
      if (!error.issues?.some(({ path }) => path === "raise_to")) throw error;
      return showConfirm(reply, core, confirmation_id, { error, typed });
    }
    return reply.redirect(confirmPath(confirmation_id), 303);
  });
}

async function showConfirm(
  reply: FastifyReply,
  core: GatewayOptions["core"],
  confirmation_id: string,
  refused?: RefusedRaise,
): Promise<FastifyReply> {
  const { request } = reply;
  const call = personCall(request);
  const [found, { keys }, modelLink] = await Promise.all([
    core.accounts.GetConfirmation({ confirmation_id }, call).catch(undefinedWhereExpired),
    core.accounts.ListKeys({}, call),
    askModelLinks(core, request),
  ]);
  const path = "/account/keys";
  if (!found) return sendAccountPage(reply, { path, ...expiredPage(), status: 404 });
  const confirmation = fromMessage(approvalSchema, found);
  const { key_id: keyId, key_ended: isKeyEnded = false } = confirmation;
  const key = fromMessages(apiKeySchema, keys).find(({ key_id }) => !isKeyEnded && key_id === keyId);
  return sendAccountPage(reply, {
    path,
    title: confirmTitle(confirmation),
    body: confirmBody(request.person, { confirmation, modelLink, key, isKeyEnded, refused }),
    status: refused ? 400 : 200,
    styles: ["studio.css"],
  });
}

function undefinedWhereExpired(error: unknown): undefined {
  expectedError(error, ["not_found"]);
}
