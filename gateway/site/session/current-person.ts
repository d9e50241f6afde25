// Who is signed in. Core is asked once for every request, so that signing out anywhere takes effect with the next request everywhere.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { CallOptions } from "../../../proto/client.ts";
import { AppError } from "../../../proto/codes.ts";
import type { RateLimits } from "../../../edge/http/rate-limit.ts";
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
  /** Name of the plan's record, for example `free`. */
  readonly plan: string;
  /** What forms (field `csrf_token`) and scripts (header `x-csrf-token`) of this session send back. */
  readonly csrfToken: string;
  /** Signed in within the last day. */
  readonly fresh: boolean;
  /** Signed in by a session of another system, which only that system can end. */
  readonly issuedElsewhere: boolean;
  /** When this request came. */
  readonly creditsAvailable: number;
  /** Of the browser that was used last; empty until one has said it. */
  readonly timeZone: string;
};

export type Sessions = {
  readonly cookies: SessionCookies;
  readonly keptForms: KeptForms;
  readonly askingBrowser: AskingBrowser;
  /** Digests of sign-in codes are made with it. */
  readonly codeKey: Uint8Array;
  /** The person, or not_signed_in or account_suspended. Throws rate_limited. */
  identify(request: FastifyRequest): Promise<Person | AppError>;
};

declare module "fastify" {
  interface FastifyInstance {
    /** Of the website, within it. */
    sessions: Sessions;
  }
  interface FastifyRequest {
    /** Who is signed in, on what is a person's own (protect.ts). Throws anywhere else. */
    readonly person: Person;
  }
}

const admitted = new WeakMap<FastifyRequest, Person>();

/** Before any route of the website that asks who is signed in. */
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
        timeZone: time_zone,
      };
    } catch (error) {
      if (error instanceof AppError && (error.code === "not_signed_in" || error.code === "account_suspended"))
        return error;
      throw error;
    }
  }

  // Changes are counted where they are made.
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

/** For pages that anyone may see. */
export async function currentPerson(request: FastifyRequest): Promise<Person | undefined> {
  const found = await request.server.sessions.identify(request);
  return found instanceof AppError ? undefined : found;
}

/** For error pages, which must appear whatever is wrong: if core is what failed, it is not asked again. */
export async function viewerOfError(
  sessions: Sessions,
  request: FastifyRequest,
  status: number,
): Promise<Person | "unknown" | undefined> {
  const known = admitted.get(request);
  if (known) return known;
  if (status >= 500) return "unknown";
  const found = await sessions.identify(request).catch(() => "unknown" as const);
  if (!(found instanceof AppError)) return found;
  return found.code === "not_signed_in" ? undefined : "unknown";
}

/** For what is the person's own: no cache keeps the answer. Throws not_signed_in, which a page answers with the way to sign in, and account_suspended. */
export async function admitPerson(request: FastifyRequest, reply: FastifyReply): Promise<Person> {
  reply.header("cache-control", "private, no-store");
  const found = await request.server.sessions.identify(request);
  if (found instanceof AppError) throw found;
  admitted.set(request, found);
  return found;
}

/**
 * For what anyone may see, and is more for whoever is signed in: no cache keeps the answer. Undefined for a visitor, who counts for the rate of
 * the address. Throws account_suspended and rate_limited.
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

/** What core is told with each call made for the person. */
export function personCall(request: FastifyRequest, { accountId } = request.person): CallOptions {
  return {
    caller: { kind: "account", accountId, source: "app" },
    requestId: request.id,
    address: request.ip,
  };
}
