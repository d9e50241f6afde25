// The person who is signed in. Core is asked once per request, so signing out takes effect everywhere with the next request.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RateLimits } from "../../../edge/http/rate-limit.ts";
import type { CallOptions } from "../../../proto/client.ts";
import { AppError } from "../../../proto/codes.ts";
import { deriveKeys, loadSecrets } from "../../../runtime/keys/secret.ts";
import type { GatewayOptions } from "../../gateway.ts";
import { countAddress } from "../../http/auth.ts";
import { type AskingBrowser, createAskingBrowser } from "./asking-browser.ts";
import { changesSomething } from "./csrf.ts";
import { createIdentifyOutside } from "./issued-elsewhere.ts";
import { createKeptForms, type KeptForms } from "./kept-form.ts";
import { createSessionCookies, type SessionCookies } from "./session-cookie.ts";

export type Person = {
  readonly accountId: string;
  readonly sessionId: string;
  readonly email: string;
  readonly name: string;
  /** The name of the plan, for example `free`. */
  readonly plan: string;
  /** The token that forms (field `csrf_token`) and scripts (header `x-csrf-token`) of this session send. */
  readonly csrfToken: string;
  /** Whether the person has signed in within the last day. */
  readonly fresh: boolean;
  /** Whether another system issued the session; only that system can end it. */
  readonly issuedElsewhere: boolean;
  /** The balance at the time of this request. */
  readonly creditsAvailable: number;
  /** Unread entries of the inbox at the time of this request; 0 on all but opened pages. */
  readonly inboxUnread: number;
  /** The time zone of the browser that was used last; empty until one has reported it. */
  readonly timeZone: string;
};

export type Sessions = {
  readonly cookies: SessionCookies;
  readonly keptForms: KeptForms;
  readonly askingBrowser: AskingBrowser;
  /** The key for digests of sign-in codes. */
  readonly codeKey: Uint8Array;
  /** Returns the person, or the error not_signed_in or account_suspended. Throws rate_limited. */
  identify(request: FastifyRequest): Promise<Person | AppError>;
};

declare module "fastify" {
  interface FastifyInstance {
    /** Only within the website. */
    sessions: Sessions;
  }
  interface FastifyRequest {
    /** The signed-in person on routes that require one (protect.ts). Throws on other routes. */
    readonly person: Person;
  }
}

const admitted = new WeakMap<FastifyRequest, Person>();

/** Must be called before any route that asks who is signed in. */
export function keepSessions(app: FastifyInstance, { core, config, baseUrl, limits }: GatewayOptions): void {
  const secrets = loadSecrets(config);
  const isHttps = baseUrl.startsWith("https:");
  const cookies = createSessionCookies(secrets, isHttps, config.sessionDays);
  const identifyOutside = createIdentifyOutside(config);
  const answers = new WeakMap<FastifyRequest, Promise<Person | AppError>>();

  async function ask(request: FastifyRequest): Promise<Person | AppError> {
    const options = { requestId: request.id, address: request.ip };
    const claims = await cookies.read(request.headers.cookie);
    const outside = claims ? undefined : await identifyOutside(request);
    const sessionId = claims?.sessionId ?? outside?.sessionId;
    if (sessionId === undefined) return new AppError("not_signed_in");
    // Core counts while it checks the session.
    const counted = claims && countInbox(core, request, claims.accountId);
    try {
      const { account_id, email, name, plan, fresh, credits_available, time_zone } = outside
        ? await core.sessions.IdentifyByEmail(
            { email: outside.email, name: outside.name, signed_in_at: outside.signedInAt },
            options,
          )
        : await core.sessions.CheckSession(
            { account_id: claims?.accountId ?? "", session_id: sessionId },
            options,
          );
      return {
        accountId: account_id,
        sessionId,
        email,
        name,
        plan,
        fresh,
        csrfToken: cookies.csrfToken(sessionId),
        issuedElsewhere: outside !== undefined,
        creditsAvailable: credits_available,
        inboxUnread: await (counted ?? countInbox(core, request, account_id)),
        timeZone: time_zone,
      };
    } catch (error) {
      if (error instanceof AppError && (error.code === "not_signed_in" || error.code === "account_suspended"))
        return error;
      throw error;
    }
  }

  // Changes are counted by the routes that make them.
  async function countRead(found: Person | AppError, request: FastifyRequest): Promise<Person | AppError> {
    if (found instanceof AppError || changesSomething(request)) return found;
    limits.enforce(await limits.count("reads", found.accountId));
    return found;
  }

  app.decorateRequest("person", {
    getter() {
      const person = admitted.get(this);
      if (!person)
        throw new Error("the route does not check who is signed in: it belongs to ownPages or ownJson");
      return person;
    },
  });
  app.decorate("sessions", {
    cookies,
    keptForms: createKeptForms(deriveKeys(secrets, "atelier kept form"), isHttps),
    askingBrowser: createAskingBrowser(deriveKeys(secrets, "atelier sign-in browser"), isHttps),
    codeKey: deriveKeys(secrets, "atelier sign-in code")[0],
    identify: (request) => {
      const known = answers.get(request) ?? ask(request).then((found) => countRead(found, request));
      answers.set(request, known);
      return known;
    },
  });
}

/** For pages that everyone may see. */
export async function currentPerson(request: FastifyRequest): Promise<Person | undefined> {
  const found = await request.server.sessions.identify(request);
  return found instanceof AppError ? undefined : found;
}

/**
 * For pages that must always appear: error pages, and those that need nothing of core. If core is the cause of an error, it is not asked
 * again.
 */
export async function viewerOf(
  sessions: Sessions,
  request: FastifyRequest,
  status = 200,
): Promise<Person | "unknown" | undefined> {
  const known = admitted.get(request);
  if (known) return known;
  if (status >= 500) return "unknown";
  const found = await sessions.identify(request).catch(() => "unknown" as const);
  if (!(found instanceof AppError)) return found;
  return found.code === "not_signed_in" ? undefined : "unknown";
}

/** For private pages, whose responses are not cached. Throws not_signed_in, which pages answer with sign-in, and account_suspended. */
export async function admitPerson(request: FastifyRequest, reply: FastifyReply): Promise<Person> {
  reply.header("cache-control", "private, no-store");
  const found = await request.server.sessions.identify(request);
  if (found instanceof AppError) throw found;
  admitted.set(request, found);
  return found;
}

/**
 * For pages that everyone may see and that show more to signed-in persons. Responses are not cached. Returns undefined for a visitor, who
 * counts towards the rate of the address. Throws account_suspended and rate_limited.
 */
export async function admitAnyone(
  request: FastifyRequest,
  reply: FastifyReply,
  limits: RateLimits,
): Promise<Person | undefined> {
  const found = await request.server.sessions.identify(request);
  if (!(found instanceof AppError) || found.code !== "not_signed_in") return admitPerson(request, reply);
  reply.header("cache-control", "private, no-store");
  await countAddress(request, reply, limits, "catalog");
  return undefined;
}

/** The header is still shown if core cannot count. */
async function countInbox(
  { accounts }: GatewayOptions["core"],
  request: FastifyRequest,
  accountId: string,
): Promise<number> {
  if (!opensPage(request)) return 0;
  try {
    return (await accounts.CountInbox({}, callFor(request, accountId))).unread;
  } catch {
    return 0;
  }
}

/** Whether a browser shows the response as a page. Scripts that fetch a page take parts of it, without the header. */
function opensPage({ method, headers }: FastifyRequest): boolean {
  const { accept = "", "sec-fetch-dest": destination = "document" } = headers;
  return method === "GET" && destination === "document" && accept.includes("text/html");
}

/** The call options of requests to core on behalf of the person. */
export function personCall(request: FastifyRequest, { accountId } = request.person): CallOptions {
  return callFor(request, accountId);
}

function callFor(request: FastifyRequest, accountId: string): CallOptions {
  return {
    caller: { kind: "account", accountId, source: "app" },
    requestId: request.id,
    address: request.ip,
  };
}
