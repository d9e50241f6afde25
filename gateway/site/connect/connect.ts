// /connect for everyone, the bundle for desktop assistants, and creating a key on the same page.
import type { FastifyInstance, FastifyReply } from "fastify";
import { z } from "zod";
import { TOOL_SERVERS } from "../../../edge/tool-servers.ts";
import { AppError, ERROR_TABLE, type ErrorCode } from "../../../proto/codes.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { INDEXED, OPEN } from "../../http/crawlers.ts";
import { budgetOf, readBudget } from "../account/budget-fields.ts";
import { keyOf } from "../account/keys.ts";
import { renderPage } from "../layout/render-page.ts";
import { personCall, viewerOf } from "../session/current-person.ts";
import { formOf } from "../session/forms.ts";
import { newKeyNotice, sendNotice } from "../session/notices.ts";
import { signInForForm } from "../session/protect.ts";
import { connectPage, type ConnectView } from "./connect-page.ts";
import { BUNDLE_NAME, BUNDLE_TYPE, makeDesktopBundle } from "./desktop-bundle.ts";
import { BUNDLE_PATH, CONNECT_PATH, KEY_PATH } from "./paths.ts";

/** Errors that the person can correct elsewhere in the settings. */
const TOLD_HERE: readonly ErrorCode[] = ["key_limit_reached", "plan_excludes_api", "invalid_request"];

/** Routes for everyone. */
export function connectRoutes(app: GatewayApp, options: GatewayOptions): void {
  const { baseUrl, generationBaseUrl } = options;
  let bundle: Buffer | undefined;

  const querystring = z.object({ client: z.string().max(64).catch("") });
  app.get(CONNECT_PATH, { ...INDEXED, schema: { querystring } }, async (request, reply) => {
    const person = await viewerOf(app.sessions, request);
    // The form as it was before the person had to sign in again.
    const kept = person && person !== "unknown" && app.sessions.keptForms.take(request, reply, person);
    const client = (kept && kept.get("client")) || request.query.client;
    return show(reply, options, { client, ...(kept && { budget: readBudget(kept) }) });
  });

  app.get(BUNDLE_PATH, OPEN, async (_request, reply) => {
    bundle ??= makeDesktopBundle(generationBaseUrl + TOOL_SERVERS.generation.path, baseUrl);
    return reply
      .type(BUNDLE_TYPE)
      .header("content-disposition", `attachment; filename="${BUNDLE_NAME}"`)
      .header("cache-control", "public, max-age=300")
      .send(bundle);
  });
}

/** Routes for the person who is signed in. */
export function connectKeyRoute(app: FastifyInstance, options: GatewayOptions): void {
  const { core, baseUrl } = options;
  app.post(KEY_PATH, { config: { keepsForm: true } }, async (request, reply) => {
    const { person } = request;
    const form = formOf(request);
    const client = form.get("client");
    const budget = readBudget(form);
    if (!person.fresh) return signInForForm(request, reply);
    try {
      const made = await core.accounts.CreateKey(
        { name: "Assistant", scope: "write", ...budgetOf(budget) },
        personCall(request),
      );
      sendNotice(request, person.email, newKeyNotice(request, keyOf(made.key), baseUrl));
      return await show(reply, options, { client, secret: made.secret, status: 201 });
    } catch (error) {
      if (!(error instanceof AppError) || !TOLD_HERE.includes(error.code)) throw error;
      const status = ERROR_TABLE[error.code].http;
      return show(reply, options, { client, budget, refusal: error, status });
    }
  });
}

async function show(
  reply: FastifyReply,
  options: GatewayOptions,
  {
    status = 200,
    ...news
  }: Pick<ConnectView, "client" | "secret" | "budget" | "refusal"> & { status?: number },
): Promise<FastifyReply> {
  const { baseUrl, generationBaseUrl } = options;
  const { request } = reply;
  const isOneOrigin = generationBaseUrl === baseUrl;
  const viewer = await viewerOf(request.server.sessions, request);
  const person = viewer === "unknown" ? undefined : viewer;
  const view: ConnectView = {
    generation: generationBaseUrl + TOOL_SERVERS.generation.path,
    catalog: baseUrl + TOOL_SERVERS.catalog.path,
    member: baseUrl + TOOL_SERVERS.member.path,
    callsTo: {
      generation: isOneOrigin
        ? TOOL_SERVERS.generation.path
        : generationBaseUrl + TOOL_SERVERS.generation.path,
      member: TOOL_SERVERS.member.path,
      otherOrigin: isOneOrigin ? undefined : generationBaseUrl,
    },
    person,
    trial: person && (await options.core.accounts.GetTrial({}, personCall(request, person))),
    ...news,
  };
  return renderPage(reply, { ...connectPage(view), person: viewer, status });
}
