// Signing in by a mailed link, on the whole service with a real mail server.
import { beforeAll, describe, expect, test } from "vitest";
import { safeNext } from "../../gateway/site/session/sign-in-link.ts";
import { createHttpCalls, type HttpCalls } from "../support/http-calls.ts";
import { readText, startMailServer } from "../support/mail-server.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";

const PAGE = { accept: "text/html", "sec-fetch-site": "same-origin" };
const FORM = { ...PAGE, "content-type": "application/x-www-form-urlencoded" };

const mail = sharedByTests(() => startMailServer());
const service = sharedByTests(() =>
  startWholeService({ worker: false, env: { ATELIER_SMTP_URL: mail.url } }),
);

type Fields = Record<string, string>;
type Headers = Record<string, string | null>;

const post = (path: string, fields: Fields, headers: Headers = {}, at: HttpCalls = service) =>
  at.call(path, {
    method: "POST",
    body: new URLSearchParams(fields).toString(),
    headers: { ...FORM, ...headers },
  });
const read = (path: string, headers: Headers = {}, at: HttpCalls = service) =>
  at.call(path, { headers: { ...PAGE, ...headers } });
const whoAmI = (cookie: string, at: HttpCalls = service) =>
  at.call("/account/api/me", { headers: { cookie } });

let made = 0;
const newEmail = () => `somebody-${(made += 1)}@example.com`;

type Asked = { token: string; next: string; path: string; browser: string; mark: string };

/** Requests a link. Returns the confirmation's fields, and the requesting browser's cookie. */
async function askForLink(email: string, next = "", mark = ""): Promise<Asked> {
  const { status, headers } = await post("/sign-in", { email, next }, { cookie: mark });
  expect(status).toBe(200);
  const link = new URL(await mail.linkFor(email));
  const { token = "", next: kept = "", browser = "" } = Object.fromEntries(link.searchParams);
  return { token, next: kept, path: link.pathname + link.search, browser, mark: cookieOf(headers) };
}

/** Presses the page's button in another browser than the requesting one. */
const confirm = (token: string, headers: Headers = {}, at: HttpCalls = service) =>
  post("/sign-in/confirm", { token, other_browser: "yes" }, headers, at);

const cookieOf = (headers: globalThis.Headers) => headers.get("set-cookie")?.split(";")[0] ?? "";

async function signIn(email: string): Promise<string> {
  const { token } = await askForLink(email);
  return cookieOf((await confirm(token)).headers);
}

/** A page about a sent link without its random parts. */
const withoutProofs = (page: string) => page.replaceAll(/(name="(?:link|browser)" value=)"[^"]+"/g, "$1");

/** Requests a link. Returns the fields of the code's page, the mailed code, and this browser's cookie. */
async function askForCode(email: string, next = ""): Promise<{ fields: Fields; code: string; mark: string }> {
  const page = await post("/sign-in", { email, next });
  const hidden = page.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
  const fields = Object.fromEntries([...hidden].map(([, name = "", value = ""]) => [name, value]));
  return { fields, code: await mail.codeFor(email), mark: cookieOf(page.headers) };
}

describe("the sign-in code", () => {
  const WRONG = "This code doesn’t work.";
  const otherThan = (code: string) => String((Number(code.replace(" ", "")) + 1) % 10 ** 8).padStart(8, "0");
  const enter = ({ fields, mark }: { fields: Fields; mark: string }, code: string) =>
    post("/sign-in/code", { ...fields, code }, { cookie: mark });

  test("[SIGN-10] signs in the browser that requested it, once, and leads to the user's page", async () => {
    const email = newEmail();
    const asked = await askForCode(email, "/jobs");
    const { status, headers } = await enter(asked, `  ${asked.code.replace(" ", "-")} `);
    expect([status, headers.get("location")]).toEqual([303, "/jobs"]);
    expect((await whoAmI(cookieOf(headers))).body).toMatchObject({ result: { email } });
    const again = await enter(asked, asked.code);
    expect([again.status, again.headers.get("set-cookie")]).toEqual([400, null]);
    expect(again.text).toContain(WRONG);
  });

  test("leads on where an earlier press has signed in, as the link does", async () => {
    const email = newEmail();
    const [asked, other] = [await askForCode(email, "/jobs"), await signIn(newEmail())];
    const page = await read(new URL(await mail.linkFor(email)).href.replace(/^https?:\/\/[^/]+/, ""));
    const hidden = page.text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
    const link = Object.fromEntries([...hidden].map(([, name = "", value = ""]) => [name, value]));
    const opened = cookieOf((await enter(asked, asked.code)).headers);
    for (const [path, fields] of [
      ["/sign-in/code", { ...asked.fields, code: asked.code }],
      ["/sign-in/confirm", link],
    ] as const) {
      const again = await post(path, fields, { cookie: `${asked.mark}; ${opened}` });
      expect([path, again.status, again.headers.get("location")]).toEqual([path, 303, "/jobs"]);
      const another = await post(path, fields, { cookie: `${asked.mark}; ${other}` });
      expect([path, another.status]).toEqual([path, 400]);
    }
  });

  test("[SIGN-10] is refused after five wrong ones, opens no account for a wrong one, and leaves the link valid", async () => {
    const email = newEmail();
    const asked = await askForCode(email);
    const tries = Array.from({ length: 5 }, () => enter(asked, otherThan(asked.code)));
    for (const { status, text } of await Promise.all(tries)) {
      expect(status).toBe(400);
      expect(text).toContain(WRONG);
    }
    expect((await enter(asked, asked.code)).status).toBe(400);
    expect(await service.app.mongo.db.collection("accounts").countDocuments({ email })).toBe(0);
    const link = new URL(await mail.linkFor(email));
    expect((await confirm(link.searchParams.get("token") ?? "")).status).toBe(303);
  });

  test("[SIGN-10] is no try while digits are missing, and the page says how many there are", async () => {
    const asked = await askForCode(newEmail());
    for (const code of ["", "1234", "\u0661\u0662", "x".repeat(5_000), "1".repeat(9)]) {
      const { status, text } = await enter(asked, code);
      expect([status, text]).toEqual([
        400,
        expect.stringContaining("The code in the email has eight digits."),
      ]);
    }
    expect((await enter(asked, asked.code)).status).toBe(303);
  });

  test("can be sent again from the page of a refusal for its rate, and has lost no try", async () => {
    const strict = await service.openEdge({ ATELIER_RATE_LIMITS: "on" });
    const asked = await askForCode(newEmail());
    const at = (code: string) =>
      post("/sign-in/code", { ...asked.fields, code }, { cookie: asked.mark }, strict);
    for (let i = 1; i <= 5; i++) expect((await confirm("A".repeat(43), {}, strict)).status).toBe(400);
    for (const code of Array.from({ length: 6 }, () => otherThan(asked.code))) {
      const { status, headers, text } = await at(code);
      expect([status, Number(headers.get("retry-after"))]).toEqual([429, expect.toSatisfy((s) => s > 0)]);
      expect(text).toMatch(/Wait \d+ seconds?, then press Sign in again\./);
      expect(text).toContain(`value="${code}"`);
      expect(text).toContain(`name="link" value="${asked.fields["link"]}"`);
    }
    expect((await enter(asked, asked.code)).status).toBe(303);
  });

  test("is refused in another browser, with another address's link, after its expiry, and once the link was used", async () => {
    const asked = await askForCode(newEmail());
    const other = await askForCode(newEmail());
    expect((await enter({ ...asked, mark: other.mark }, asked.code)).status).toBe(400);
    expect(
      (await enter({ ...asked, fields: { ...asked.fields, link: other.fields["link"] ?? "" } }, asked.code))
        .status,
    ).toBe(400);
    expect((await enter(other, asked.code)).status).toBe(400);
    const links = service.app.mongo.db.collection<{ _id: string }>("sign_in_links");
    await links.updateOne(
      { _id: other.fields["link"] ?? "" },
      { $set: { expires_at: new Date(Date.now() - 1) } },
    );
    const late = await enter(other, other.code);
    expect([late.status, late.text]).toEqual([400, expect.stringContaining("after 15 minutes")]);

    const email = newEmail();
    const used = await askForCode(email);
    const link = new URL(await mail.linkFor(email));
    expect((await confirm(link.searchParams.get("token") ?? "")).status).toBe(303);
    expect((await enter(used, used.code)).status).toBe(400);
  });
});

describe("the sign-in link", () => {
  test("arrives by mail, is confirmed with a button, and signs in", async () => {
    const email = newEmail();
    const { path, token } = await askForLink(email);
    expect(mail.received.at(-1)).toMatchObject({ from: "no-reply@localhost", to: [email] });

    const page = await read(path);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`<form class="stack" method="post" action="/sign-in/confirm">`);
    expect(page.headers.get("cache-control")).toBe("private, no-store");

    const { status, headers } = await confirm(token, { "user-agent": "Firefox 1" });
    expect(status).toBe(303);
    expect(headers.get("location")).toBe("/account");
    expect((await whoAmI(cookieOf(headers))).body).toMatchObject({ result: { email, plan: "free" } });
  });

  test("is confirmed on a page that names the account to enter, and the one to leave", async () => {
    const mine = newEmail();
    const cookie = await signIn(mine);
    const others = newEmail();
    const { path } = await askForLink(others);
    const stranger = await read(path);
    expect(stranger.text).toContain(`Sign in as <strong>${others}</strong>`);
    expect(stranger.text).not.toContain(mine);
    expect((await read(path, { cookie })).text).toContain(`You are signed in as <strong>${mine}</strong>`);
  });

  test("needs one button in its own browser; another browser shows a warning first", async () => {
    const email = newEmail();
    const { path, token, browser, mark } = await askForLink(email, "/jobs");
    const here = await read(path, { cookie: mark });
    expect(here.text).not.toContain("requested in another browser");
    const fields = { token, browser, next: "/jobs" };
    // Other browsers: one without a mark, one with its own, one with an invented one.
    const { mark: otherMark } = await askForLink(newEmail());
    for (const cookie of ["", otherMark, `${mark.split("=")[0]}=${"A".repeat(22)}`]) {
      for (const page of [await read(path, { cookie }), await post("/sign-in/confirm", fields, { cookie })]) {
        expect(page.status).toBe(200);
        expect(page.text).toContain("This link was requested in another browser.");
        expect(page.text).toContain(`Sign in as <strong>${email}</strong>`);
        expect(page.headers.get("set-cookie")).toBeNull();
      }
    }
    const { status, headers } = await post("/sign-in/confirm", fields, { cookie: mark });
    expect([status, headers.get("location")]).toEqual([303, "/jobs"]);
  });

  test("the sign-in link that is requested twice belongs to the browser both times, though a quota may suppress the second mail", async () => {
    const first = await askForLink(newEmail());
    const second = await askForLink(newEmail(), "", first.mark);
    expect(second.mark).toBe(first.mark);
    for (const { token, browser, mark } of [first, second])
      expect((await post("/sign-in/confirm", { token, browser }, { cookie: mark })).status).toBe(303);
  });

  test("the sign-in link that is invalid is reported before a button is pressed", async () => {
    const email = newEmail();
    const used = await askForLink(email);
    await confirm(used.token);
    for (const path of [used.path, `/sign-in/confirm?token=${"A".repeat(43)}`]) {
      const { status, text } = await read(path);
      expect(status).toBe(400);
      expect(text).toContain("This link no longer works");
      expect(text).not.toContain(email);
    }
  });

  test("invalidates earlier ones to the same address", async () => {
    const email = newEmail();
    const older = await askForLink(email);
    const another = await askForLink(newEmail());
    expect((await post("/sign-in", { email })).status).toBe(200);
    const newer = new URL(await mail.linkFor(email, 2)).searchParams.get("token") ?? "";
    expect((await confirm(older.token)).status).toBe(400);
    expect((await confirm(newer)).status).toBe(303);
    expect((await confirm(another.token)).status).toBe(303);
  });

  test("[SIGN-01] is not used up by programs that follow it", async () => {
    const { path, token } = await askForLink(newEmail());
    for (let i = 0; i < 3; i++) expect((await read(path)).headers.get("set-cookie")).toBeNull();
    expect((await service.call(path, { method: "HEAD" })).status).toBe(200);
    expect((await confirm(token)).status).toBe(303);
  });

  test("the sign-in link that is used, expired, wrong or truncated leads to one page without a session", async () => {
    const used = await askForLink(newEmail());
    await confirm(used.token);
    const lateEmail = newEmail();
    const late = await askForLink(lateEmail);
    await service.app.mongo.db
      .collection("sign_in_links")
      .updateOne({ email: lateEmail }, { $set: { expires_at: new Date(Date.now() - 1) } });
    const tokens = [used.token, late.token, "A".repeat(43), late.token.slice(1), "", "<script>"];
    const answers = await Promise.all(tokens.map((token) => confirm(token)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    for (const { status, headers, text } of answers) {
      expect(status).toBe(400);
      expect(headers.get("set-cookie")).toBeNull();
      expect(text).toContain("This link no longer works");
    }
  });

  test("is requested with one response for known and unknown addresses", async () => {
    const known = newEmail();
    await signIn(known);
    const unknown = newEmail();
    const [a, b] = await Promise.all([known, unknown].map((email) => post("/sign-in", { email })));
    const [pageA, pageB] = [a?.text.replaceAll(known, "X"), b?.text.replaceAll(unknown, "X")];
    expect(withoutProofs(pageA ?? "")).toBe(withoutProofs(pageB ?? "different"));
    expect(a?.status).toBe(b?.status);
  });

  test("leads to the person's page, and never to another site", async () => {
    const { token, next } = await askForLink(newEmail(), "/generate?model=picture");
    expect(next).toBe("/generate?model=picture");
    expect(
      (await post("/sign-in/confirm", { token, next, other_browser: "yes" })).headers.get("location"),
    ).toBe(next);
    const elsewhere = await askForLink(newEmail(), "//evil.example");
    expect(elsewhere.next).toBe("");
    const fields = { token: elsewhere.token, next: "https://evil.example/", other_browser: "yes" };
    expect((await post("/sign-in/confirm", fields)).headers.get("location")).toBe("/account");
  });

  test.each([
    ["/jobs?state=failed", "/jobs?state=failed"],
    ["/a/../jobs", "/jobs"],
    ["", ""],
    ["jobs", ""],
    ["//evil.example", ""],
    ["/\\evil.example", ""],
    ["/\t/evil.example", ""],
    ["/.//evil.example", ""],
    ["https://evil.example", ""],
    ["javascript:alert(1)", ""],
    ["/sign-out", ""],
    [`/${"x".repeat(3_000)}`, ""],
  ])("turns the return path %j into %j", (wanted, kept) => {
    expect(safeNext(wanted)).toBe(kept);
  });
});

describe("[ORI-40] in development the machine's two names", () => {
  const namesOf = (at: HttpCalls) => {
    const { port } = new URL(at.url);
    return [`http://localhost:${port}`, `http://127.0.0.1:${port}`] as const;
  };

  test("keep the name of the browser in the link", async () => {
    for (const origin of namesOf(service)) {
      const email = newEmail();
      expect((await post("/sign-in", { email }, {}, createHttpCalls(origin))).status).toBe(200);
      expect(new URL(await mail.linkFor(email)).origin).toBe(origin);
    }
  });

  test("are both accepted for forms and tools; another port is not", async () => {
    const origins = namesOf(service);
    const ping = { method: "POST", body: { jsonrpc: "2.0", id: 1, method: "ping" } };
    const ask = async (at: HttpCalls, origin: string) => {
      // An old browser, which sends only the page's origin.
      const form = await post("/sign-in", { email: "no address" }, { "sec-fetch-site": null, origin }, at);
      const tool = await at.call("/api/mcp", { ...ping, headers: { origin } });
      return [form.status, tool.status, tool.headers.get("access-control-allow-origin")];
    };
    for (const at of origins.map((origin) => createHttpCalls(origin))) {
      for (const origin of origins) expect(await ask(at, origin)).toEqual([400, 401, origin]);
      for (const origin of ["http://localhost:1", "http://127.0.0.2:8080", "null"])
        expect(await ask(at, origin)).toEqual([403, 403, null]);
    }
  });

  test("are separate when the service has a public URL", async () => {
    const face = await service.openEdge({
      ATELIER_BASE_URL: "https://shop.example",
      ATELIER_SMTP_URL: mail.url,
    });
    const [email, [localhost]] = [newEmail(), namesOf(face)];
    expect((await post("/sign-in", { email }, {}, face)).status).toBe(200);
    expect(new URL(await mail.linkFor(email)).origin).toBe("https://shop.example");
    const { status } = await post("/sign-in", { email }, { "sec-fetch-site": null, origin: localhost }, face);
    expect(status).toBe(403);
  });
});

describe("the sign-in form", () => {
  test("reports a wrong address, and escapes it", async () => {
    const { status, text } = await post("/sign-in", { email: '"><script>alert(1)</script>', next: "/jobs" });
    expect(status).toBe(400);
    expect(text).toContain("This must be an email address.");
    expect(text).toContain("&lt;script>");
    expect(text).not.toContain("<script>alert");
    expect(text).toContain('name="next" value="/jobs"');
  });

  test("sends no mail for an address with an injected header", async () => {
    const before = mail.received.length;
    const { status } = await post("/sign-in", { email: "a@example.com\r\nBcc: b@example.com" });
    expect(status).toBe(400);
    expect(mail.received).toHaveLength(before);
  });

  test("leads a signed-in person on", async () => {
    const cookie = await signIn(newEmail());
    expect((await read("/sign-in?next=/jobs", { cookie })).headers.get("location")).toBe("/jobs");
  });

  test("reports a mail server that refuses, without the link in the response", async () => {
    const broken = await service.openEdge({ ATELIER_SMTP_URL: "smtp://127.0.0.1:1" });
    const { status, text } = await post("/sign-in", { email: newEmail() }, {}, broken);
    expect(status).toBe(503);
    expect(text).toContain("The email with your link could not be sent.");
    expect(text).not.toContain("token=");
    expect(service.errors.splice(0).join()).toContain("a sign-in link could not be mailed");
  });
});

describe("the session cookie", () => {
  test("is for this host and same-site requests, not readable by scripts, for 30 days", async () => {
    const { token } = await askForLink(newEmail());
    const { headers } = await confirm(token);
    const [value, ...flags] = headers.get("set-cookie")?.split("; ") ?? [];
    expect(value).toMatch(/^atelier_session=[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(flags).toEqual(["Path=/", "Max-Age=2592000", "HttpOnly", "SameSite=Lax"]);
  });

  test("is separate from the browser's marker cookie, which is also host-only and not readable by scripts", async () => {
    const { headers } = await post("/sign-in", { email: newEmail() });
    expect(headers.get("set-cookie")).toMatch(
      /^atelier_sign_in=[\w-]{22}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/,
    );
  });

  test("is removed with cached pages at sign-out", async () => {
    const cookie = await signIn(newEmail());
    const { csrf_token = "" } = (await whoAmI(cookie)).body["result"] as Fields;
    const { headers } = await post("/sign-out", { csrf_token }, { cookie });
    expect(headers.get("clear-site-data")).toBe('"cache"');
    expect(headers.get("set-cookie")).toContain("Max-Age=0");
  });

  test("[SIGN-02] over https is Secure with the __Host- prefix, and the plain one is ignored", async () => {
    const https = await service.openEdge({ ATELIER_BASE_URL: "https://atelier.example" });
    const { token } = await askForLink(newEmail());
    const { headers } = await confirm(token, {}, https);
    const cookie = headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^__Host-atelier_session=/);
    expect(cookie.split("; ").slice(1)).toEqual([
      "Path=/",
      "Max-Age=2592000",
      "HttpOnly",
      "SameSite=Lax",
      "Secure",
    ]);
    expect((await whoAmI(cookieOf(headers), https)).status).toBe(200);
    expect((await whoAmI(cookieOf(headers).replace("__Host-", ""), https)).status).toBe(401);
  });

  test("is replaced when planted before, and the browser's earlier session ends", async () => {
    const planted = await signIn(newEmail());
    const { token } = await askForLink(newEmail());
    const { headers } = await confirm(token, { cookie: planted });
    expect(cookieOf(headers)).not.toBe(planted);
    expect((await whoAmI(planted)).status).toBe(401);
    expect((await whoAmI(cookieOf(headers))).status).toBe(200);
  });
});

describe("sign-in attempts", () => {
  const from = (address: string) => ({ "x-forwarded-for": address });
  const mailsTo = (email: string) => mail.received.filter(({ to }) => to.includes(email)).length;
  let strict: HttpCalls;
  beforeAll(async () => {
    strict = await service.openEdge({ ATELIER_RATE_LIMITS: "on", ATELIER_TRUST_PROXY: "1" });
  });

  test("[SIGN-06] for another's address do not lock that person out: above three links the response is the same without a mail, and the newest link works", async () => {
    const victim = newEmail();
    const texts = new Set<string>();
    for (let i = 1; i <= 8; i++) {
      const { status, text } = await post("/sign-in", { email: victim }, from(`198.51.${i}.1`), strict);
      expect(status).toBe(200);
      texts.add(withoutProofs(text));
    }
    expect(texts.size).toBe(1);
    const link = new URL(await mail.linkFor(victim, 3));
    expect(mailsTo(victim)).toBe(3);
    const token = link.searchParams.get("token") ?? "";
    expect((await confirm(token)).status).toBe(303);
  });

  test("are counted over all gateways and all spellings of the address", async () => {
    const other = await service.openEdge({ ATELIER_RATE_LIMITS: "on", ATELIER_TRUST_PROXY: "1" });
    const email = newEmail();
    for (const [i, at] of [strict, other, strict, other].entries())
      expect(
        (await post("/sign-in", { email: ` ${email.toUpperCase()}` }, from(`192.0.${i}.9`), at)).status,
      ).toBe(200);
    expect(mailsTo(email)).toBe(3);
  });

  test.each([
    ["203.0.113.7", "203.0.113.200", "203.0.114.7"],
    ["2001:db8:7:1::1", "2001:db8:7:ffff::1", "2001:db8:8::1"],
  ])("are limited to twenty an hour from one network: %s", async (one, neighbour, elsewhere) => {
    const emails = Array.from({ length: 21 }, newEmail);
    for (const [i, email] of emails.entries())
      expect((await post("/sign-in", { email }, from(i % 2 ? one : neighbour), strict)).status).toBe(200);
    expect(emails.filter((email) => mailsTo(email) === 1)).toEqual(emails.slice(0, 20));
    const last = newEmail();
    await post("/sign-in", { email: last }, from(elsewhere), strict);
    expect(mailsTo(last)).toBe(1);
  });

  test("are limited for confirming too", async () => {
    const strict = await service.openEdge({ ATELIER_RATE_LIMITS: "on" });
    const press = () => confirm("A".repeat(43), {}, strict);
    for (let i = 1; i <= 5; i++) expect((await press()).status).toBe(400);
    expect((await press()).status).toBe(429);
  });
});

describe("a suspended person", () => {
  test("[SIGN-08] is signed out immediately, gets no new session, sees the reason, and may view public pages", async () => {
    const email = newEmail();
    const cookie = await signIn(email);
    const { token } = await askForLink(email);
    await service.core.admin.SetAccountStatus({ account: email, status: "suspended" });
    const mine = await read("/account", { cookie });
    expect(mine.headers.get("location")).toBe("/sign-in?next=%2Faccount");
    expect((await whoAmI(cookie)).body).toMatchObject({ code: "not_signed_in" });
    const confirmed = await confirm(token);
    expect(confirmed.status).toBe(403);
    expect(confirmed.text).toContain("This account is suspended");
    expect(confirmed.headers.get("set-cookie")).toBeNull();
    expect((await read("/products", { cookie })).status).toBe(200);
  });
});

describe("a sign-in notice", () => {
  const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
  const noticesTo = (email: string) =>
    mail.received.filter(({ to, raw }) => to.includes(email) && /^subject: a new/im.test(raw));

  test("is mailed for a new browser or network, and not at the first sign-in", async () => {
    const proxied = await service.openEdge({ ATELIER_TRUST_PROXY: "1" });
    const email = newEmail();
    const enter = async (userAgent: string, address: string) => {
      const { token } = await askForLink(email);
      const headers = { "user-agent": userAgent, "x-forwarded-for": address };
      expect((await confirm(token, headers, proxied)).status).toBe(303);
    };
    await enter(FIREFOX, "192.0.2.7");
    await enter(FIREFOX, "192.0.2.9");
    await enter(FIREFOX, "198.51.100.7");
    await waitFor("the notice", () => noticesTo(email).length > 0);
    expect(noticesTo(email)).toHaveLength(1);
    expect(readText(noticesTo(email)[0]?.raw ?? "")).toMatch(
      /Firefox on Linux[^]+198\.51\.100\.7[^]+\/account\/sessions/,
    );
  });
});

describe("the security log", () => {
  type Line = { event?: string; account_id?: string; address?: string; request_id?: string };
  const told = (requestId: string) =>
    service.lines
      .map((line) => JSON.parse(line) as Line)
      .filter((line) => line.event !== undefined && line.request_id === requestId);

  test("[SIGN-09] records account changes with account, address and request, and without a secret", async () => {
    const email = newEmail();
    const { token } = await askForLink(email);
    const enter = (id: string) => confirm(token, { "x-request-id": id });
    const cookie = cookieOf((await enter("req-sign-in-1")).headers);
    const { account_id, csrf_token } = (await whoAmI(cookie)).body["result"] as Fields;
    await enter("req-bad-link-1");
    await post("/account/keys", { name: "x", scope: "read" }, { cookie, "x-request-id": "req-forged-1" });
    await post("/sign-out", { csrf_token: csrf_token ?? "" }, { cookie, "x-request-id": "req-sign-out-1" });
    await service.call("/api/models", {
      headers: { authorization: `Bearer atl_gen_${"x".repeat(36)}`, "x-request-id": "req-bad-key-1" },
    });

    const address = expect.stringMatching(/127\.0\.0\.1$/);
    expect(told("req-sign-in-1")).toMatchObject([{ event: "sign_in", account_id, address }]);
    expect(told("req-bad-link-1")).toMatchObject([{ event: "bad_link", address }]);
    expect(told("req-forged-1")).toMatchObject([{ event: "form_refused", address }]);
    expect(told("req-sign-out-1")).toMatchObject([{ event: "session_ended", account_id, address }]);
    expect(told("req-bad-key-1")).toMatchObject([{ event: "bad_key", address }]);
    const all = service.lines.join("");
    for (const secret of [token, cookie.split("=")[1] ?? "", csrf_token ?? ""])
      expect(all).not.toContain(secret);
  });
});

describe("a malformed request", () => {
  const COOKIES = [
    "atelier_session",
    "atelier_session=",
    "=; ;=x",
    `atelier_session=${"x.".repeat(2_000)}`,
    "a=b;;c",
  ];

  test.each(COOKIES)("as a cookie has no session: %#", async (cookie) => {
    expect((await whoAmI(cookie)).status).toBe(401);
    expect((await read("/sign-in", { cookie })).status).toBe(200);
  });

  test.each([
    ["GET", "/sign-in?next=/a&next=/b", undefined, 200],
    ["GET", "/sign-in/confirm", undefined, 400],
    ["GET", "/sign-in/confirm?token=a&token=b", undefined, 400],
    ["POST", "/sign-in", undefined, 400],
    ["POST", "/sign-in", '{"email":"a@example.com"}', 415],
    ["POST", "/sign-in", "email=%00", 400],
    ["POST", "/sign-in", "email[]=a@example.com&email=%ff", 400],
    ["POST", "/sign-in/confirm", "token[]=x", 400],
    ["PUT", "/sign-in", "email=a@example.com", 405],
  ])("is refused with a message: %s %s %j", async (method, path, body, status) => {
    const headers = body?.startsWith("{")
      ? { ...PAGE, "content-type": "text/plain" }
      : body === undefined
        ? PAGE
        : FORM;
    const answer = await service.call(path, { method, headers, ...(body !== undefined && { body }) });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  test("leads to the sign-in when it signs out without a session", async () => {
    const { status, headers } = await post("/sign-out", { csrf_token: "x" });
    expect([status, headers.get("location")]).toEqual([303, "/sign-in?next="]);
  });
});

test("no test of this file logged a bug", () => {
  expect(service.errors).toEqual([]);
});
