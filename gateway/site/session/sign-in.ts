// Signing in: /sign-in mails a link with a code, /sign-in/confirm accepts the link, /sign-in/code the code, and /sign-in/passkey a passkey.
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { CallOptions } from "../../../proto/client.ts";
import { AppError } from "../../../proto/codes.ts";
import type { SignedIn } from "../../../proto/types/atelier/v1/SignedIn.ts";
import type { SignInLink } from "../../../proto/types/atelier/v1/SignInLink.ts";
import type { Mailer } from "../../../runtime/mail.ts";
import { addressSubject, networkSubject } from "../../../runtime/networks.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { counted } from "../design/format.ts";
import type { Markup } from "../design/markup.js";
import { renderPage } from "../layout/render-page.ts";
import { currentPerson, personCall } from "./current-person.ts";
import { formOf } from "./forms.ts";
import { givenUpMail, newSessionNotice, sendNotice } from "./notices.ts";
import { passkeyAnswer, passkeySite, startedPasskey, undefinedWhereRefused } from "./passkeys.ts";
import {
  codeDigest,
  hashToken,
  homeOf,
  isToken,
  isWholeCode,
  newCode,
  newSignInLink,
  safeNext,
} from "./sign-in-link.ts";
import { askForLink, confirmSignIn, linkSent, noMail, unusableLink } from "./sign-in-pages.ts";

const HOME = "/account";
const MAIL_RETRY_SECONDS = 30;
const text = z.string().catch("");

export function signInRoutes(app: GatewayApp, options: GatewayOptions): void {
  const { mailer } = app;

  const query = z.object({ next: text, again: text, ended: text });
  app.get("/sign-in", { schema: { querystring: query } }, async (request, reply) => {
    const next = safeNext(request.query.next);
    const person = await currentPerson(request);
    const again = person !== undefined && request.query.again !== "" && !person.fresh;
    if (person && !again) return reply.redirect(next || HOME, 303);
    const email = person?.email ?? "";
    const { ended } = request.query;
    return page(reply, "Sign in", mailer ? askForLink({ next, again, email, ended }) : noMail());
  });

  app.post("/sign-in", async (_request, reply) =>
    mailer ? sendLink(reply, mailer, options) : page(reply, "Sign in", noMail(), 503),
  );

  const linkQuery = z.object({ token: text, browser: text, next: text });
  app.get("/sign-in/confirm", { schema: { querystring: linkQuery } }, (request, reply) =>
    askToConfirm(reply, request.query, options),
  );

  app.post("/sign-in/confirm", (_request, reply) => signInByLink(reply, options));

  app.post("/sign-in/code", (_request, reply) => signInByCode(reply, options));

  app.post("/sign-in/passkey/start", async (request, reply) => {
    await countAttempt(reply, options);
    const { host } = passkeySite(request, options);
    return startedPasskey(reply, await options.core.sessions.StartPasskeySignIn({ host }, callOf(request)));
  });
  app.post("/sign-in/passkey", (_request, reply) => signInByPasskey(reply, options));
}

type SentLink = { token: string; browser: string; next: string };

async function askToConfirm(
  reply: FastifyReply,
  { token, browser, next }: SentLink,
  { core }: Pick<GatewayOptions, "core">,
): Promise<FastifyReply> {
  const { request } = reply;
  if (!isToken(token)) return unusable(reply);
  const link = await core.sessions
    .FindLink({ token_sha256: hashToken(token) }, callOf(request))
    .catch(undefinedWhereInvalid);
  if (!link) return unusable(reply);
  const leaving = (await currentPerson(request))?.email;
  const isHere = isAskingBrowser(request, token, browser);
  const body = confirmSignIn({ token, browser, isHere, next: safeNext(next), email: link.email, leaving });
  return page(reply, "Sign in", body);
}

function isAskingBrowser(request: FastifyRequest, token: string, proof: string): boolean {
  return request.server.sessions.askingBrowser.isSame(request, { tokenSha256: hashToken(token), proof });
}

async function sendLink(
  reply: FastifyReply,
  mailer: Mailer,
  { core, config, limits, baseUrl }: GatewayOptions,
): Promise<FastifyReply> {
  const { request } = reply;
  const form = formOf(request);
  const email = form.get("email").trim();
  const next = safeNext(form.get("next"));
  limits.enforce(await limits.count("catalog", addressSubject(request.ip)));
  // The cookie belongs to the host name of the link, so the link uses the name that the person uses.
  const home = homeOf(request, { config, baseUrl });
  const { askingBrowser } = request.server.sessions;
  let browser = "";
  const { url, tokenSha256 } = newSignInLink(
    home,
    next,
    (hash) => (browser = askingBrowser.mark(reply, hash)),
  );
  const code = newCode();
  const network = config.rateLimits ? networkSubject(request.ip) : "";
  let kept: SignInLink;
  try {
    const secrets = {
      token_sha256: tokenSha256,
      code_digest: codeDigest(request.server.sessions.codeKey, code, tokenSha256),
    };
    kept = await core.sessions.CreateLink({ email, network, ...secrets }, callOf(request));
  } catch (error) {
    const issue = error instanceof AppError ? error.issues?.find(({ path }) => path === "email") : undefined;
    if (!issue) throw error;
    return page(reply, "Sign in", askForLink({ email, next, error: `This ${issue.message}.` }), 400);
  }
  const sent = linkSent({ email, next, link: tokenSha256, browser });
  // The page is always the same: someone who uses up another person's quota learns nothing and locks no one out.
  if (kept.over_quota) return page(reply, "Check your email", sent);
  // The mail goes to the stored spelling of the address, because another spelling may be another person's mailbox.
  const mail = kept.given_up ? { to: kept.email, ...givenUpMail() } : signInMail(kept.email, { url, code });
  await mailer.send(mail).catch((error: unknown) => {
    request.log.error({ err: error, request_id: request.id }, "a sign-in link could not be mailed");
    throw new AppError("service_unavailable", {
      message: "The email with your link could not be sent.",
      hint: "Try again in a moment.",
      retryAfterSeconds: MAIL_RETRY_SECONDS,
    });
  });
  return page(reply, "Check your email", sent);
}

/** The code is valid only in the browser that requested it. In other browsers the link works, which names the account that it opens. */
async function signInByCode(reply: FastifyReply, options: GatewayOptions): Promise<FastifyReply> {
  const { request } = reply;
  const { askingBrowser, codeKey } = request.server.sessions;
  const form = formOf(request);
  const [email, link, browser, code] = ["email", "link", "browser", "code"].map((name) => form.get(name)) as [
    string,
    string,
    string,
    string,
  ];
  const next = safeNext(form.get("next"));
  const askAgain = (status: number, again: { error: string; code?: string }) =>
    page(reply, "Check your email", linkSent({ email, next, link, browser, ...again }), status);
  if (!isWholeCode(code))
    return askAgain(400, { error: "The code in the email has eight digits. Enter all of them." });
  const refusal = await countAttempt(reply, options).catch(onlyRateLimited);
  // The person has the code, and only this page can send it.
  if (refusal) {
    const { retryAfterSeconds: seconds = 1 } = refusal;
    reply.header("retry-after", seconds);
    const error = `That was a lot in a short time. Wait ${counted(seconds, "second")}, then press Sign in again.`;
    return askAgain(429, { code, error });
  }
  const isHere = askingBrowser.isSame(request, { tokenSha256: link, proof: browser });
  const secrets = { token_sha256: link, code_digest: codeDigest(codeKey, code, link) };
  if (isHere && (await openSession(reply, secrets, options))) return reply.redirect(next || HOME, 303);
  if (await wasSignedIn(request)) return reply.redirect(next || HOME, 303);
  return askAgain(400, {
    error:
      "This code doesn’t work. Use the newest email; after 15 minutes or five wrong codes, send another one.",
  });
}

/** Whether an earlier press of the same button has signed the person in: a second one finds the link and its code used up. */
async function wasSignedIn(request: FastifyRequest): Promise<boolean> {
  const person = await currentPerson(request);
  const email = formOf(request).get("email").toLowerCase();
  return person !== undefined && person.fresh && person.email.toLowerCase() === email;
}

function onlyRateLimited(error: unknown): AppError {
  if (error instanceof AppError && error.code === "rate_limited") return error;
  throw error;
}

async function countAttempt(reply: FastifyReply, { limits }: GatewayOptions): Promise<void> {
  const attempt = await limits.count("signIn", addressSubject(reply.request.ip));
  reply.headers(attempt.headers);
  limits.enforce(attempt);
}

async function signInByLink(reply: FastifyReply, options: GatewayOptions): Promise<FastifyReply> {
  const { request } = reply;
  const form = formOf(request);
  const token = form.get("token");
  if (!isToken(token)) return unusable(reply);
  await countAttempt(reply, options);
  const browser = form.get("browser");
  // In another browser the person must have read that, and which account it is.
  if (!isAskingBrowser(request, token, browser) && form.get("other_browser") !== "yes")
    return askToConfirm(reply, { token, browser, next: form.get("next") }, options);
  const isOpen = await openSession(reply, { token_sha256: hashToken(token) }, options);
  return isOpen ? reply.redirect(safeNext(form.get("next")) || HOME, 303) : unusable(reply);
}

/** Signs the browser in; returns false if the link or the code is not valid. */
async function openSession(
  reply: FastifyReply,
  secrets: { token_sha256: string; code_digest?: string },
  options: GatewayOptions,
): Promise<boolean> {
  const { request } = reply;
  const signedIn = await options.core.sessions
    .SignIn({ ...secrets, ...browserOf(request) }, callOf(request))
    .catch(undefinedWhereInvalid);
  return signedIn !== undefined && keepSession(reply, signedIn, options);
}

async function signInByPasskey(reply: FastifyReply, options: GatewayOptions): Promise<FastifyReply> {
  const { request } = reply;
  const form = formOf(request);
  const next = safeNext(form.get("next"));
  await countAttempt(reply, options);
  const answer = passkeyAnswer(request, options);
  const signedIn =
    answer &&
    (await options.core.sessions
      .SignInByPasskey({ ...answer, ...browserOf(request) }, callOf(request))
      .catch(undefinedWhereRefused));
  if (signedIn && (await keepSession(reply, signedIn, options))) return reply.redirect(next || HOME, 303);
  return page(reply, "Sign in", askForLink({ next, isRefused: true }), 400);
}

function browserOf(request: FastifyRequest): { user_agent: string; network: string } {
  return { user_agent: request.headers["user-agent"] ?? "", network: networkSubject(request.ip) };
}

/** Gives the browser the session that core opened. */
async function keepSession(
  reply: FastifyReply,
  signedIn: SignedIn,
  { core, baseUrl }: GatewayOptions,
): Promise<boolean> {
  const { request } = reply;
  if (!signedIn.session) return false;
  if (signedIn.new_browser && signedIn.person)
    sendNotice(request, signedIn.person.email, newSessionNotice(request, baseUrl, signedIn.person.time_zone));
  // The previous session of this browser ends.
  const before = await currentPerson(request);
  if (before && !before.issuedElsewhere)
    await core.sessions.RevokeSession({ session_id: before.sessionId }, personCall(request, before));
  const { account_id: accountId, session_id: sessionId } = signedIn.session;
  reply.header("set-cookie", await reply.server.sessions.cookies.issue({ accountId, sessionId }));
  return true;
}

function callOf(request: FastifyRequest): CallOptions {
  return { requestId: request.id, address: request.ip };
}

function undefinedWhereInvalid(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== "invalid_link") throw error;
}

async function unusable(reply: FastifyReply): Promise<FastifyReply> {
  const { request } = reply;
  if (await wasSignedIn(request)) return reply.redirect(safeNext(formOf(request).get("next")) || HOME, 303);
  return page(reply, "This link no longer works", unusableLink(), 400);
}

function page(reply: FastifyReply, title: string, body: Markup, status = 200): FastifyReply {
  return renderPage(reply, {
    title,
    path: "/sign-in",
    body,
    status,
    styles: ["account.css"],
    scripts: ["passkeys.js"],
  });
}

function signInMail(
  to: string,
  { url, code }: { url: string; code: string },
): { to: string; subject: string; text: string } {
  return {
    to,
    subject: `${code} is your code to sign in to Atelier`,
    text: `Type this code in the browser where you asked for it:

${code}

Or open this link:

Sign in: ${url}

Either works once, for 15 minutes. If you did not ask for this, ignore this mail: no one can sign in without the code or the link.
`,
  };
}
