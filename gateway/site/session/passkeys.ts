// The shared parts of signing in with passkeys and managing them. A script fetches options, asks the browser, and puts its response into
// the form.
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../../proto/codes.ts";
import type { PasskeyOptions } from "../../../proto/types/atelier/v1/PasskeyOptions.ts";
import type { GatewayOptions } from "../../gateway.ts";
import { type Children, html, type Markup } from "../design/markup.js";
import { formOf } from "./forms.ts";
import { hashToken, homeOf } from "./sign-in-link.ts";

/** The website's identity for passkeys. */
export function passkeySite(
  request: FastifyRequest,
  options: Pick<GatewayOptions, "config" | "baseUrl">,
): { origin: string; host: string } {
  const origin = homeOf(request, options);
  return { origin, host: new URL(origin).hostname };
}

/**
 * Options for the script, with a proof that this browser requested them: the response of another browser could sign the person in to a
 * foreign account.
 */
export function startedPasskey(reply: FastifyReply, { options_json }: PasskeyOptions): FastifyReply {
  const { challenge } = JSON.parse(options_json) as { challenge: string };
  const proof = reply.server.sessions.askingBrowser.mark(reply, hashToken(challenge));
  return reply
    .headers({ "content-type": "application/json; charset=utf-8", "cache-control": "no-store" })
    .send(`{"options":${options_json},"proof":${JSON.stringify(proof)}}`);
}

/** The response of the browser; undefined if another browser requested the challenge. */
export function passkeyAnswer(
  request: FastifyRequest,
  options: Pick<GatewayOptions, "config" | "baseUrl">,
): { challenge: string; response_json: string; origin: string } | undefined {
  const form = formOf(request);
  const [challenge, proof] = [form.get("challenge"), form.get("proof")];
  const { askingBrowser } = request.server.sessions;
  if (!askingBrowser.isSame(request, { tokenSha256: hashToken(challenge), proof })) return undefined;
  return { challenge, response_json: form.get("response"), origin: passkeySite(request, options).origin };
}

export function undefinedWhereRefused(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== "invalid_request") throw error;
}

/**
 * A form that the script shows if the browser supports passkeys. `start` is the address of the options; without it the form is sent
 * unchanged.
 */
export function passkeyForm({
  action,
  start,
  body,
}: {
  action: string;
  start: string;
  body: Children;
}): Markup {
  return html`<form class="stack" method="post" action=${action} data-passkey=${start} hidden>
    ${body} ${["challenge", "proof", "response"].map((name) => html`<input type="hidden" name=${name} />`)}
    <p class="field__error" role="status"></p>
  </form>`;
}
