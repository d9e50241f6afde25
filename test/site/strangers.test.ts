// Requests every route with a second account: resources of another person are a plain 404, and no response contains them.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey } from "../../core/identity/accounts/create-key.ts";
import { setPlan } from "../../core/identity/accounts/set-terms.ts";
import { picture } from "../core/studio/uploads/pictures.ts";
import { giveCredits } from "../support/credits.ts";
import { type EveryRoute, serveEveryRoute } from "../support/every-route.ts";
import { sharedByTests } from "../support/shared.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";
import { type Browser, callOf, signInAs } from "./support/sign-in.ts";

const SECRET_PROMPT = "the garden behind the third house";
const SECRET_NAME = "laptop of the owner";

let server: EveryRoute["server"];
let eveKey: string;
/** A route's parameter of this name for one of Ada's resources. */
let theirs: Record<string, string>;
type Route = EveryRoute["routes"][number];

let routes: readonly Route[];

const service = sharedByTests(() => startWholeService());
const ada = sharedByTests(() => signInAs(service, "ada@example.com"));
const eve = sharedByTests(() => signInAs(service, "eve@example.com"));
beforeAll(async () => {
  for (const { accountId } of [ada, eve]) {
    await setPlan(service.app, accountId, "studio");
    await giveCredits(service.app, accountId, 1_000);
  }
  const wanted = { scope: "write", expiresAt: null } as const;
  eveKey = (await createKey(service.app, eve.accountId, { name: "mine", ...wanted })).secret;
  const { key, secret } = await createKey(service.app, ada.accountId, { name: SECRET_NAME, ...wanted });
  const call = callOf(ada);
  const { job_id: id } = await service.core.jobs.Generate(
    { modality: "image", model_slug: "picture", prompt: SECRET_PROMPT, params_json: "{}" },
    call,
  );
  const job = await service.core.jobs.GetJob({ job_id: id, wait_seconds: 20 }, call);
  const [output] = job.outputs;
  if (!output) throw new Error("the job made nothing");
  const placed = { idempotency_key: "hers", expected_cents: 500, pack: { pack: "small" } };
  const { order_id } = await service.core.orders.PlaceOrder(placed, call);
  const { url } = await service.core.orders.StartCheckout({ order_id, expected_cents: 500 }, call);
  const ref = url.slice(url.lastIndexOf("/") + 1);
  const file_id = await adasFile();
  const asked = { subject: SECRET_NAME, kind: "other", text: SECRET_PROMPT };
  const { ticket_id } = await service.core.tickets.OpenTicket(asked, call);
  const uploaded = await service.call<{ result: { upload_id: string } }>("/api/uploads", {
    key: secret,
    method: "POST",
    body: await picture(),
  });
  const step = { modality: "image", model_slug: "picture", prompt: SECRET_PROMPT };
  const steps = ["first", "second"].map((name) => ({ ...step, id: name }));
  const { workflow_id } = await service.core.workflows.RunWorkflow({ steps }, call);
  const careful = await createKey(service.app, ada.accountId, {
    name: SECRET_NAME,
    ...wanted,
    confirmAbove: 1,
  });
  const refused = await service.call<{ confirmation_id: string }>("/api/v1/connect/generate", {
    key: careful.secret,
    method: "POST",
    body: { modality: "image", model_slug: "picture", prompt: SECRET_PROMPT },
  });
  await insertPasskey(service, ada);
  const hook = { url: "http://127.0.0.1:1/hers", events: ["job.completed"] };
  const { endpoint } = await service.core.callbacks.AddEndpoint(hook, call);
  theirs = {
    workflow_id,
    confirmation_id: refused.body.confirmation_id,
    upload_id: uploaded.body.result.upload_id,
    param: "image",
    ticket_id,
    id,
    output_id: output.output_id,
    key_id: key.key_id,
    session_id: ada.sessionId,
    file_id,
    order_id,
    ref,
    passkey_id: "hers",
    provider: "nobody",
    endpoint_id: endpoint?.endpoint_id ?? "",
    change: "remove",
  };

  ({ server, routes } = await serveEveryRoute(service));
});
afterAll(() => server.close());

async function insertPasskey({ app }: WholeService, { accountId: account_id }: Browser): Promise<void> {
  const passkeys = app.mongo.db.collection<{ _id: string; account_id: string; name: string }>("passkeys");
  await passkeys.insertOne({ _id: "hers", account_id, name: SECRET_NAME });
}

/** A product file that Ada has a licence for. */
async function adasFile(): Promise<string> {
  const { admin, catalogAdmin } = service.core;
  const json = JSON.stringify({ slug: "hers", name: "Hers", status: "published" });
  await catalogAdmin.ImportProducts({ rows: [{ line: 1, json }] });
  const content = Buffer.from(SECRET_PROMPT);
  async function* parts() {
    const sha256 = createHash("sha256").update(content).digest("hex");
    yield { headline: { product_slug: "hers", name: "a.txt", version: "1", bytes: content.length, sha256 } };
    yield { data: content };
  }
  const licence = { account: ada.accountId, product_slug: "hers", kind: "standard", source: "grant" };
  await admin.GrantLicence(licence);
  return (await admin.AddProductFile(parts())).file?.file_id ?? "";
}

const isApi = (url: string) => /^\/(api|v1)\//.test(url);
const isForm = (url: string) => !isApi(url) && !url.startsWith("/account/api/");
type Headers = Record<string, string>;

/** As `who`: with the session on pages and their JSON, with Eve's key elsewhere. */
function ask(who: Browser, method: string, url: string, { token = who.csrfToken, ...more }: Headers = {}) {
  const payload = isForm(url) ? new URLSearchParams({ csrf_token: token }).toString() : "{}";
  return server.inject({
    method: method as "POST",
    url,
    headers: {
      ...(isApi(url)
        ? { authorization: `Bearer ${eveKey}` }
        : {
            cookie: who.cookie,
            "sec-fetch-site": "same-origin",
            ...(!isForm(url) && { "x-csrf-token": token }),
          }),
      ...(method !== "GET" && {
        "content-type": isForm(url) ? "application/x-www-form-urlencoded" : "application/json",
      }),
      ...more,
    },
    ...(method !== "GET" && method !== "HEAD" && { payload }),
  });
}

/** The URL with the parameters of `from`; a parameter that it lacks fails. */
function filled(url: string, from: Record<string, string>): string {
  return url.replaceAll(/:(\w+)/g, (_parameter, name: string) => {
    const value = from[name];
    if (value === undefined) throw new Error(`${url}: say here what of another person's :${name} names`);
    return value;
  });
}

/** Names of public resources: products, public links, files of the website. */
const isPublic = (url: string) => /:slug|:share\b|:file\b|\*/.test(url);

/**
 * Public routes, in addition to `/api/`, which needs keys, and `/.well-known/`. Every other route must check the person: add a new one here
 * if it is public.
 */
const FOR_ANYBODY = new Set([
  "/",
  "/products",
  "/products/:slug",
  "/pricing",
  "/connect",
  "/models",
  "/models/:slug",
  "/generate/preview",
  "/generate/check",
  "/connect/atelier.mcpb",
  "/sign-in",
  "/sign-in/confirm",
  "/sign-in/code",
  "/sign-in/passkey",
  "/sign-in/passkey/start",
  "/account-deleted",
  // The link names the account.
  "/email/confirm",
  "/email/undo",
  "/assets/*",
  "/samples/:file",
  "/docs",
  "/docs/search",
  "/docs/api",
  "/docs/:slug",
  "/docs/api/:slug",
  "/mcp",
  "/openapi.json",
  "/llms.txt",
  "/sitemap.xml",
  "/feeds/google.xml",
  "/feeds/google.tsv",
  "/feeds/acp/products.jsonl",
  "/feeds/acp/metadata.json",
  "/robots.txt",
  "/favicon.ico",
  "/favicon.svg",
  "/apple-touch-icon.png",
  "/social.png",
  "/social/:slug.png",
  "/covers/:slug.svg",
  "/licences/standard",
  "/licences/client",
  "/verify",
  "/s/:share",
  "/s/:share/file",
  "/s/:share/picture",
  "/about",
  "/help",
  "/licences",
  "/privacy",
  "/terms",
  "/status",
  // The link names the account.
  "/library/linked/:file_id",
  // Signed by the provider.
  "/webhooks/payments/:provider",
  "/webhooks/providers/:provider",
]);
/** The page is public; its form is not. */
const isOpenForm = ({ method, url }: Route) => url === "/generate" && method !== "POST";
const forAnybody = (route: Route) =>
  isOpenForm(route) || FOR_ANYBODY.has(route.url) || /^\/(api|v1|mcp|log|\.well-known)\//.test(route.url);

describe("[SITE-11] a visitor, on every route", () => {
  const fill = (url: string) => url.replaceAll(/:(\w+)/g, (_parameter, name: string) => theirs[name] ?? "x");
  const asStranger = (method: string, url: string) =>
    server.inject({
      method: method as "GET",
      url: fill(url),
      headers: { accept: "text/html", "sec-fetch-site": "same-origin" },
    });

  test("is led to the sign-in by pages and forms, and refused by JSON, without caching", async () => {
    const own = routes.filter((route) => route.method !== "OPTIONS" && !forAnybody(route));
    expect(own.length).toBeGreaterThan(50);
    for (const { method, url } of own) {
      const { statusCode, headers, body } = await asStranger(method, url);
      const answer = { method, url, statusCode, location: headers.location };
      if (url.startsWith("/account/api/")) {
        expect(answer).toEqual({ method, url, statusCode: 401, location: undefined });
        if (method !== "HEAD") expect(JSON.parse(body)).toMatchObject({ ok: false, code: "not_signed_in" });
      } else if (method === "GET") {
        const location = `/sign-in?next=${encodeURIComponent(fill(url))}`;
        expect(answer).toEqual({ method, url, statusCode: 303, location });
      } else if (method === "HEAD") {
        expect(answer).toEqual({ method, url, statusCode: 401, location: undefined });
      } else {
        expect(answer).toMatchObject({ method, url, statusCode: 303 });
        expect(answer.location).toMatch(/^\/sign-in\?next=/);
      }
      expect(headers["cache-control"]).toBe("no-store");
    }
  });

  test("sees public routes, which never check a session", async () => {
    for (const { method, url } of routes.filter((route) => isOpenForm(route) || FOR_ANYBODY.has(route.url))) {
      const { statusCode } = await asStranger(method, url);
      expect([401, 303, 500], `${method} ${url}`).not.toContain(statusCode);
    }
  });
});

describe("[SITE-11] a second account, on every route", () => {
  test("[SITE-09] [SHOP-21] [SHOP-23] gets for another person's resources the bytes that unknown ones get", async () => {
    const named = routes.filter(
      ({ method, url }) => method !== "OPTIONS" && url.includes(":") && !isPublic(url),
    );
    expect(named.length).toBeGreaterThan(15);
    // As long as theirs, and of the same form.
    const nobodys = Object.fromEntries(
      Object.entries(theirs).map(([name, id]) => [name, /_/.test(id) ? id.replace(/.{4}$/, "0000") : id]),
    );
    const shown = Object.values({ ...theirs, ...nobodys });
    const told = async (method: string, path: string, accept: string) => {
      const { statusCode, body, headers } = await ask(eve, method, path, { accept });
      const { "x-request-id": requestId, date: _, "content-length": _length, ...rest } = headers;
      return shown.reduce(
        (text, id) => text.replaceAll(id, "ID"),
        JSON.stringify({ statusCode, body, rest }).replaceAll(String(requestId), "REQUEST"),
      );
    };
    for (const { method, url } of named)
      for (const accept of ["text/html", "application/json"]) {
        const answer = await told(method, filled(url, theirs), accept);
        expect(answer, `${method} ${url}`).toMatch(/^\{"statusCode":404/);
        expect(answer).toBe(await told(method, filled(url, nobodys), accept));
        for (const secret of [SECRET_PROMPT, SECRET_NAME, "ada@example.com"])
          expect(answer).not.toContain(secret);
      }
  });

  test("gets no data of another person, for any query", async () => {
    const { id = "", output_id = "", key_id = "", session_id = "" } = theirs;
    const query = new URLSearchParams({
      job_id: id,
      from: id,
      account: ada.accountId,
      account_id: ada.accountId,
      key_id,
    });
    const plain = routes.filter(
      ({ method, url }) => method === "GET" && !url.includes(":") && !url.includes("*"),
    );
    expect(plain.length).toBeGreaterThan(25);
    for (const { url } of plain) {
      const { statusCode, body } = await ask(eve, "GET", `${url}?${query.toString()}`);
      expect(statusCode, url).toBeLessThan(500);
      const secrets = [SECRET_PROMPT, SECRET_NAME, "ada@example.com", output_id, session_id];
      for (const secret of secrets) expect(body.includes(secret), `${url} tells ${secret}`).toBe(false);
    }
  });

  test("[SIGN-03] cannot make the owner's browser change anything, from another site or with its own token", async () => {
    const sites = ["cross-site", "same-site"].map((site) => ({ "sec-fetch-site": site }));
    const tokens = ["", eve.csrfToken, `${ada.csrfToken}x`].map((token) => ({ token }));
    const changes = routes.filter(
      ({ method, url }) =>
        !["GET", "HEAD", "OPTIONS"].includes(method) && !/^\/(api|v1|mcp|webhooks)\b/.test(url),
    );
    expect(changes.length).toBeGreaterThan(50);
    for (const { method, url } of changes)
      for (const wrong of [...sites, ...(FOR_ANYBODY.has(url) ? [] : tokens)]) {
        const path = filled(url, { ...theirs, slug: "hers", share: "none" });
        const { statusCode } = await ask(ada, method, path, wrong);
        expect([method, url, wrong, statusCode]).toEqual([method, url, wrong, 403]);
      }
  });

  test("leaves the owner's data unchanged", async () => {
    expect((await ada.call(`/jobs/${theirs["id"]}`)).text).toContain(SECRET_PROMPT);
    expect((await ada.call("/account/keys")).text).toContain(SECRET_NAME);
    expect((await ada.call("/account/api/me")).status).toBe(200);
    expect(service.errors).toEqual([]);
  });
});
