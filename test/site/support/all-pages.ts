// All pages of the website in all states: linked ones, and those behind a form, a mail or an error.
import type { Answer } from "../../support/http-calls.ts";
import { sendForm } from "./forms.ts";
import { ERROR_CODES, type Scene } from "./set-scene.ts";
import type { Browser } from "./sign-in.ts";

export type Who = "stranger" | "newcomer" | "customer";

export type SitePage = {
  /** Unique; the name of screenshots and of the page in the list of words. */
  readonly name: string;
  readonly who: Who;
  readonly path: string;
  readonly status: number;
  readonly html: string;
};

/** A named state: its URL, and the form that leads to it where a visit does not. */
export type State = {
  readonly name: string;
  readonly who: Who;
  readonly path: string;
  readonly form?: Readonly<Record<string, string>>;
};

const PAGE = { accept: "text/html", "sec-fetch-site": "same-origin" };
/** The number of checked pages among those that differ only in data, such as products. */
const ALIKE = 2;
const ID = /\b[a-z]{2,5}_[A-Za-z0-9]{8,}\b|\b[0-9a-f]{64}\b/g;

/** The states of the first minutes, in order. The forms change nothing: each is refused or a repeat. */
export function statesOf(scene: Scene): State[] {
  const { works, failed, running, workflows, orders, demoPayment, ticket, products, confirmations } = scene;
  const stranger = (name: string, path: string): State => ({ name, who: "stranger", path });
  const newcomer = (name: string, path: string): State => ({ name: `${name}-new`, who: "newcomer", path });
  const customer = (name: string, path: string): State => ({ name, who: "customer", path });
  return [
    stranger("start", "/"),
    stranger("products", "/products"),
    stranger("products-none", "/products?search=zzzzzz"),
    stranger("product", `/products/${products.sold}`),
    stranger("product-free", `/products/${products.free}`),
    stranger("product-soon", `/products/${products.soon}`),
    stranger("connect", "/connect"),
    stranger("pricing", "/pricing"),
    stranger("docs", "/docs"),
    stranger("docs-chapter", "/docs/webhooks"),
    stranger("docs-errors", "/docs/errors"),
    stranger("docs-reference", "/docs/api/jobs"),
    stranger("docs-search", "/docs/search?q=wait"),
    stranger("docs-search-none", "/docs/search?q=zzzz"),
    stranger("verify", "/verify"),
    stranger("terms-standard", "/licences/standard"),
    stranger("terms-client", "/licences/client"),
    stranger("sign-in", "/sign-in"),
    { ...stranger("sign-in-refused", "/sign-in"), form: { email: "nobody" } },
    { ...stranger("sign-in-sent", "/sign-in"), form: { email: "someone@example.com" } },
    {
      ...stranger("sign-in-wrong-code", "/sign-in/code"),
      form: { email: "someone@example.com", code: "1234 5678" },
    },
    stranger("sign-in-unusable", "/sign-in/confirm?token=old"),
    stranger("account-deleted", "/account-deleted"),
    stranger("email-unusable", "/email/confirm?token=old"),
    stranger("not-found", "/nowhere"),
    newcomer("start", "/"),
    newcomer("generate", "/generate"),
    newcomer("jobs", "/jobs"),
    newcomer("workflows", "/workflows"),
    newcomer("credits", "/credits"),
    newcomer("library", "/library"),
    newcomer("support", "/support"),
    newcomer("keys", "/account/keys"),
    newcomer("inbox", "/account/inbox"),
    newcomer("pricing", "/pricing"),
    newcomer("membership", "/account/membership"),
    customer("generate", "/generate"),
    customer("generate-done", `/generate?job=${works.image}`),
    customer("generate-running", `/generate?job=${running}`),
    customer("generate-failed", `/generate?job=${failed}`),
    customer("generate-code", "/generate?show=code"),
    customer("generate-voice", "/generate?model=atelier-voice"),
    customer("generate-restyle", "/generate?model=atelier-restyle"),
    { ...customer("generate-refused", "/generate"), form: { model: "atelier-canvas", prompt: " " } },
    customer("generate-gone", "/generate?model=atelier-gone"),
    customer("jobs", "/jobs"),
    customer("job-image", `/jobs/${works.image}`),
    customer("job-audio", `/jobs/${works.audio}`),
    customer("job-video", `/jobs/${works.video}`),
    customer("job-failed", `/jobs/${failed}`),
    customer("job-running", `/jobs/${running}`),
    customer("job-not-found", "/jobs/job_none"),
    customer("workflows", "/workflows"),
    customer("workflow", `/workflows/${workflows.done}`),
    customer("workflow-failed", `/workflows/${workflows.failed}`),
    customer("workflow-running", `/workflows/${workflows.running}`),
    customer("workflow-not-found", "/workflows/wfl_none"),
    customer("workflow-build", `/workflows/new?from=${works.image}`),
    customer("workflow-again", `/workflows/new?workflow=${workflows.done}`),
    customer("jobs-favourites", "/jobs?favourites=1"),
    customer("credits", "/credits"),
    customer("credits-of-job", `/credits?job_id=${works.image}`),
    customer("packs", "/credits/buy"),
    customer("library", "/library"),
    customer("downloads", "/library/downloads"),
    customer("settings", "/account"),
    { ...customer("settings-refused", "/account/email"), form: { email: "nobody" } },
    customer("connect", "/connect?client=goose"),
    customer("keys", "/account/keys"),
    { ...customer("keys-refused", "/account/keys"), form: { name: "" } },
    customer("inbox", "/account/inbox"),
    customer("confirm", `/account/confirm/${confirmations.asked}`),
    customer("confirm-yes", `/account/confirm/${confirmations.yes}`),
    customer("confirm-no", `/account/confirm/${confirmations.no}`),
    customer("confirm-over", "/account/confirm/cnf_none"),
    customer("callbacks", "/account/callbacks"),
    customer("plan", "/account/plan"),
    customer("membership", "/account/membership"),
    customer("sessions", "/account/sessions"),
    customer("data", "/account/data"),
    customer("orders", "/account/orders"),
    customer("order-paid", `/account/orders/${orders.paid}`),
    customer("order-declined", `/account/orders/${orders.declined}`),
    customer("checkout", `/checkout/${orders.open}`),
    customer("demo-payment", demoPayment),
    customer("checkout-return", `/checkout/${orders.open}/return?looked=30`),
    customer("support", "/support"),
    customer("support-ask", "/support/new"),
    { ...customer("support-refused", "/support"), form: { subject: "", text: "" } },
    customer("ticket", `/support/${ticket}`),
    ...ERROR_CODES.map((code) => stranger(`error-${code}`, scene.errorPath(code))),
  ];
}

/** Other linked pages: one of each kind. */
export async function linkedStates(scene: Scene, states: readonly State[]): Promise<State[]> {
  const known = new Set(states.map(({ path }) => kindOf(path)));
  const found: State[] = [];
  for (const who of ["stranger", "customer"] as const) {
    const { pages } = await followLinks(scene, who, "/");
    for (const { path } of pages) {
      const kind = kindOf(path);
      if (!known.has(kind))
        found.push({ name: `${who === "customer" ? "own" : "at"}${nameOf(path)}`, who, path });
      known.add(kind);
    }
  }
  return found;
}

/** The page of a state for its person. Follows redirects. */
export async function openState(scene: Scene, { name, who, path, form }: State): Promise<SitePage> {
  const browser = browserOf(scene, who);
  const first = form === undefined ? undefined : await send(scene, browser, path, form);
  const answer = first && !isRedirect(first) ? first : await get(scene, browser, first ? next(first) : path);
  return { name, who, path, status: answer.status, html: answer.text };
}

function send(
  { service }: Scene,
  browser: Browser | undefined,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<Answer<Record<string, unknown>>> {
  if (browser) return sendForm(browser, path, { ...form });
  const headers = { ...PAGE, "content-type": "application/x-www-form-urlencoded" };
  return service.call(path, { method: "POST", headers, body: new URLSearchParams(form).toString() });
}

export type Followed = {
  readonly pages: readonly SitePage[];
  /** "/a leads to /b, which answers 404", for each broken link of the site. */
  readonly dead: readonly string[];
};

/** Follows every link of the website from `from` on as this person; of similar pages and of list filters only a few. */
export async function followLinks(scene: Scene, who: Who, from: string): Promise<Followed> {
  const pages: SitePage[] = [];
  const dead: string[] = [];
  const counts = new Map<string, number>();
  const known = new Set<string>();
  const waiting: { path: string; on: string }[] = [{ path: from, on: from }];
  for (let link = waiting.shift(); link; link = waiting.shift()) {
    const { path, on } = link;
    const kind = kindOf(path);
    const seen = counts.get(kind) ?? 0;
    if (known.has(path) || seen >= ALIKE) continue;
    known.add(path);
    counts.set(kind, seen + 1);
    const { status, text, headers } = await get(scene, browserOf(scene, who), path);
    if (status >= 400) dead.push(`${on} leads to ${path}, which answers ${status}`);
    if (!headers.get("content-type")?.startsWith("text/html")) continue;
    pages.push({ name: nameOf(path), who, path, status, html: text });
    for (const next of linksOf(text, path)) waiting.push({ path: next, on: path });
  }
  return { pages, dead };
}

/** Links in a page's own part that lead to the page as it is shown, as written: not to a part of it, and not marked as where one is. */
export function linksToItself({ path, html }: SitePage): string[] {
  const main = /<main\b[\s\S]*<\/main>/.exec(html)?.[0] ?? "";
  return [...main.matchAll(/<a\b[^>]*\bhref="([^"#]*)"[^>]*>/g)]
    .filter(([tag, href = ""]) => href.replaceAll("&amp;", "&") === path && !tag.includes("aria-current"))
    .map(([tag]) => tag);
}

export function browserOf({ newcomer, customer }: Scene, who: Who): Browser | undefined {
  return { stranger: undefined, newcomer, customer }[who];
}

function linksOf(html: string, path: string): string[] {
  return [...html.matchAll(/<a\b[^>]*\bhref="([^"]*)"/g)]
    .map(([, href = ""]) => new URL(href.replaceAll("&amp;", "&"), `http://here${path}`))
    .filter(({ origin }) => origin === "http://here")
    .map(({ pathname, search }) => pathname + search);
}

/** URLs of the same page with other data are of one kind. */
function kindOf(path: string): string {
  const { pathname, searchParams } = new URL(path, "http://here");
  return [
    pathname.replaceAll(ID, ":id").replace(/^\/(products|covers|models)\/.*/, "/$1/:slug"),
    ...new Set([...searchParams.keys()].sort()),
  ].join(" ");
}

function nameOf(path: string): string {
  return path.replaceAll(ID, "id").replaceAll(/[^a-z0-9]+/gi, "-");
}

/** Follows redirects within the site. */
async function get(
  { service }: Scene,
  browser: Browser | undefined,
  path: string,
): Promise<Answer<Record<string, unknown>>> {
  const { call } = browser ?? service;
  let answer = await call(path, { headers: PAGE });
  for (let hops = 0; isRedirect(answer) && hops < 5; hops++)
    answer = await call(next(answer), { headers: PAGE });
  return answer;
}

const isRedirect = ({ status }: Answer<unknown>): boolean => status >= 300 && status < 400;

function next({ headers }: Answer<unknown>): string {
  const { pathname, search } = new URL(headers.get("location") ?? "/", "http://here");
  return pathname + search;
}
