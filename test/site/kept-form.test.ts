// A form sent after its session has ended is restored after signing in, in this browser and for this person.
import { describe, expect, test } from "vitest";
import { jobs } from "../../core/studio/jobs/store.ts";
import { Form } from "../../gateway/site/session/forms.ts";
import { createKeptForms } from "../../gateway/site/session/kept-form.ts";
import { importRows, row } from "../core/shop/catalog/rows.ts";
import { startMailServer } from "../support/mail-server.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";
import { openBrowser } from "./support/browser.ts";
import { cookiesOf, openMailedLink, sendForm } from "./support/forms.ts";
import { type Browser, makeKey, signInAs } from "./support/sign-in.ts";

const TEXT = "The file of the kit “Ink & Paper” does not open.\nI tried it twice: <b>twice</b>.";

const mail = sharedByTests(() => startMailServer());
const service = sharedByTests(() => startWholeService({ env: { ATELIER_SMTP_URL: mail.url } }));
const browser = sharedByTests(() => openBrowser(service.url));

const end = (person: Browser) => sendForm(person, "/account/sessions/revoke-others");

function post(person: Browser, path: string, fields: Record<string, string>, from?: string) {
  return service.call(path, {
    method: "POST",
    body: new URLSearchParams({ csrf_token: person.csrfToken, ...fields }).toString(),
    headers: {
      accept: "text/html",
      cookie: person.cookie,
      "content-type": "application/x-www-form-urlencoded",
      "sec-fetch-site": "same-origin",
      ...(from !== undefined && { referer: service.url + from }),
    },
  });
}

/** The cookies that a response sets, as a browser would send them. */
function setCookies({ headers }: { headers: Headers }): { pairs: string; all: string[] } {
  const all = headers.getSetCookie().filter((cookie) => cookie.startsWith("atelier_form_"));
  const set = all.filter((cookie) => !cookie.includes("Max-Age=0"));
  return { all, pairs: set.map((cookie) => cookie.split(";")[0]).join("; ") };
}

test("a ticket form is restored after signing in, and sent once, in a browser without scripts", async () => {
  const email = "typing@example.com";
  const person = await signInAs(service, email);
  const other = await signInAs(service, email);
  const cookies = cookiesOf(person);
  await browser.visit("/support/new?kind=order", { cookies, scripts: false }, async ({ page }) => {
    await page.getByLabel("Subject").fill("A file that does not open");
    await page.getByLabel("Your message").fill(TEXT);
    await end(other);
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.getByText("What you typed is kept.").waitFor();
    await openMailedLink(page, mail, email);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/support/new?kind=order");
    expect(await page.getByLabel("Subject").inputValue()).toBe("A file that does not open");
    expect((await page.getByLabel("Your message").inputValue()).replaceAll("\r\n", "\n")).toBe(TEXT);
    await page.getByRole("button", { name: "Send" }).click();
    await page.waitForURL(/\/support\/tkt_/);
    await page.goto("/support/new");
    expect(await page.getByLabel("Your message").inputValue()).toBe("");
    expect(
      (await page.context().cookies()).filter((cookie) => cookie.name.startsWith("atelier_form")),
    ).toEqual([]);
  });
});

test.each([true, false])(
  "a visitor's form with a price is submitted once after signing in (scripts: %s)",
  async (scripts) => {
    const email = `visitor-${scripts}@example.com`;
    const made = () =>
      jobs(service.app.mongo.db)
        .find({ prompt: `A boat of ${email}` })
        .toArray();
    await browser.visit("/generate?model=picture", { scripts }, async (visit) => {
      const { page } = visit;
      expect(await page.textContent(".action-bar")).toMatch(/^10 credits/);
      if (scripts) await visit.expectAccessible();
      await visit.screenshot("generate-visitor");
      await page.fill("#prompt", `A boat of ${email}`);
      // Its page has an address that only takes forms.
      if (!scripts) await page.getByRole("button", { name: "Check price and prompt" }).click();
      await page.click("#generate");
      await page.getByText("What you asked for is made right after.").waitFor();
      await openMailedLink(page, mail, email);
      expect(await made()).toEqual([]);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL("**/generate?job=job_*");
      expect(await page.inputValue("#prompt")).toBe(`A boat of ${email}`);
      await page.goto("/generate?model=picture");
      expect(await page.inputValue("#prompt")).toBe("");
    });
    expect(await made()).toMatchObject([{ model_slug: "picture", source: "app" }]);
  },
);

test("a visitor's form whose price has changed after the press is shown with the new price, and makes nothing", async () => {
  const fields = { model: "picture", prompt: "A dearer boat", visitor: "yes", shown_price: "9" };
  const answer = await post({ cookie: "", csrfToken: "" } as Browser, "/generate", fields, "/generate");
  const { cookie } = await signInAs(service, "dearer@example.com");
  const headers = { accept: "text/html", cookie: `${cookie}; ${setCookies(answer).pairs}` };
  const back = await service.call("/generate", { headers });
  expect(back.status).toBe(409);
  expect(back.text).toContain("The price is now 10 credits.");
  expect(back.text).toContain("A dearer boat</textarea>");
  expect(await jobs(service.app.mongo.db).countDocuments({ prompt: "A dearer boat" })).toBe(0);
});

test("a visitor's form that is refused after signing in is restored with the reason", async () => {
  const asked = { model: "picture", prompt: "x".repeat(9_000), visitor: "yes" };
  const answer = await post({ cookie: "", csrfToken: "" } as Browser, "/generate", asked, "/generate");
  expect(answer.headers.get("location")).toBe("/sign-in?next=%2Fgenerate&ended=visitor");
  const { cookie } = await signInAs(service, "long@example.com");
  const headers = { accept: "text/html", cookie: `${cookie}; ${setCookies(answer).pairs}` };
  const back = await service.call("/generate", { headers });
  expect(back.status).toBe(400);
  expect(back.text).toContain("at most");
});

test("the sign-in page names the reason from a fixed list, for any query", async () => {
  for (const ended of ["yes", "constructor", "__proto__"]) {
    const { text } = await service.call(`/sign-in?ended=${ended}`, { headers: { accept: "text/html" } });
    expect([ended, /Your session had ended\..*Sign in to go on\./s.test(text)]).toEqual([ended, true]);
  }
});

test("a visitor's form is never submitted from another site, or by a URL alone", async () => {
  const body = new URLSearchParams({ model: "picture", prompt: "theirs", visitor: "yes" }).toString();
  const headers = { accept: "text/html", "content-type": "application/x-www-form-urlencoded" };
  const foreign = { ...headers, "sec-fetch-site": "cross-site" };
  const refused = await service.call("/generate", { method: "POST", body, headers: foreign });
  expect([refused.status, setCookies(refused).all]).toEqual([403, []]);
  const { cookie } = await signInAs(service, "lured@example.com");
  await service.call("/generate?visitor=yes&prompt=theirs", { headers: { accept: "text/html", cookie } });
  expect(await jobs(service.app.mongo.db).countDocuments({ prompt: "theirs" })).toBe(0);
});

/** Where the form is sent, where it is restored, and the page that it was on if that was another: one that showed a refusal. */
type Row = [path: string, page: string, fields: Record<string, string>, wanted: string, from?: string];
test.each<Row>([
  [
    "/generate",
    "/generate?model=picture",
    { model: "clip", prompt: TEXT, "param.duration_seconds": "7" },
    "twice",
  ],
  ["/account/name", "/account", { name: "Somebody Else" }, 'value="Somebody Else"'],
  [
    "/account/callbacks/test",
    "/account/callbacks",
    { callback_url: "https://a.example/x" },
    "https://a.example/x",
  ],
  ["/account/keys", "/account/keys", { name: "my server", scope: "write" }, 'value="my server"'],
  [
    "/account/callbacks/endpoints",
    "/account/callbacks",
    { url: "https://a.example/hook", events: "job.*" },
    'value="job.*" checked',
  ],
  ["/connect/key", "/connect", { client: "cursor", max_credits: "120", cap_day: "30" }, 'value="30"'],
  ["/account/billing", "/account", { billing_name: "", billing_address: "1 Example Street" }, "1 Example"],
  ["/account/name", "/account", { name: "Second Try" }, 'value="Second Try"', "/account/billing"],
  ["/support", "/support", { subject: "Second Try" }, 'value="Second Try"'],
  ["/generate/code", "/generate", { model: "picture", prompt: TEXT }, "twice", "/generate/again"],
])("a form of %s is restored on its page, %s", async (path, page, fields, wanted, from = page) => {
  const email = `again-${`${path}${from}`.replaceAll(/[^a-z]/g, "-")}@example.com`;
  const person = await signInAs(service, email);
  await service.core.admin.SetPlan({ account: email, plan: "pro" });
  await end(await signInAs(service, email));
  const answer = await post(person, path, fields, from);
  expect(answer.headers.get("location")).toBe(
    `/sign-in?${new URLSearchParams({ next: page, ended: "kept" }).toString()}`,
  );
  const again = await signInAs(service, email);
  const cookie = `${again.cookie}; ${setCookies(answer).pairs}`;
  const back = await service.call(page, { headers: { accept: "text/html", cookie } });
  expect(back.status).toBe(200);
  expect(back.text).toContain(wanted);
  if (path === "/generate") expect(back.text).toContain('value="7"');
});

test("a review is restored on its product's page, which everyone may see", async () => {
  const path = "/products/kit";
  await importRows(service.core, [row("kit", { name: "Kit" })]);
  await waitFor("the product", async () => (await service.call(path)).status === 200);
  const email = "reviewer@example.com";
  const person = await signInAs(service, email);
  const licence = { account: person.accountId, product_slug: "kit", kind: "standard", source: "grant" };
  await service.core.admin.GrantLicence(licence);
  await end(await signInAs(service, email));
  const review = { stars: "4", text: TEXT, name: "Ada" };
  const answer = await post(person, `${path}/review`, review, path);
  expect(answer.headers.get("location")).toBe("/sign-in?next=%2Fproducts%2Fkit&ended=kept");
  const open = async (who: string) => {
    const { cookie } = await signInAs(service, who);
    const kept = `${cookie}; ${setCookies(answer).pairs}`;
    return (await service.call(path, { headers: { accept: "text/html", cookie: kept } })).text;
  };
  const back = await open(email);
  expect(back).toMatch(/value="4" selected/);
  expect(back).toContain("&lt;b>twice");
  expect(back).toContain('value="Ada"');
  expect(await open("somebody-else@example.com")).not.toContain("&lt;b>twice");
  const visitor = { accept: "text/html", cookie: setCookies(answer).pairs };
  expect((await service.call(path, { headers: visitor })).text).not.toContain("&lt;b>twice");
});

test("the limits of a key are restored on its page", async () => {
  const email = "limits@example.com";
  const person = await signInAs(service, email);
  await service.core.admin.SetPlan({ account: email, plan: "pro" });
  const { key } = await makeKey(service, person);
  const page = `/account/keys/${key.key_id}`;
  await end(await signInAs(service, email));
  const answer = await post(person, page, { name: "ci", cap_week: "77" }, page);
  const { cookie } = await signInAs(service, email);
  const headers = { accept: "text/html", cookie: `${cookie}; ${setCookies(answer).pairs}` };
  expect((await service.call(page, { headers })).text).toContain('value="77"');
});

test("a form of an earlier sign-in is restored for the person who is signed in now, and not sent", async () => {
  const email = "two-tabs@example.com";
  const [before, now] = [await signInAs(service, email), await signInAs(service, email)];
  const asked = { model: "picture", prompt: "A boat in two tabs", visitor: "yes" };
  const stale = { ...now, csrfToken: before.csrfToken };
  const answer = await post(stale, "/generate", asked, "/generate?model=picture");
  expect(answer.status).toBe(403);
  expect(answer.text).toContain("What you typed is kept.");
  expect(answer.text).toMatch(/href="\/generate\?model=picture"[^>]*>Open the page again</);
  const headers = { accept: "text/html", cookie: `${now.cookie}; ${setCookies(answer).pairs}` };
  const back = await service.call("/generate?model=picture", { headers });
  expect([back.status, back.text.includes("A boat in two tabs</textarea>")]).toEqual([200, true]);
  expect(await jobs(service.app.mongo.db).countDocuments({ prompt: asked.prompt })).toBe(0);
});

describe("a kept form", () => {
  async function keep(fields: Record<string, string>, path = "/support", from = "/support/new") {
    const email = `kept-${Object.keys(fields).join("-")}-${from.length}@example.com`;
    const person = await signInAs(service, email);
    await end(await signInAs(service, email));
    return { person, email, answer: await post(person, path, fields, from) };
  }
  const openPage = async (email: string, pairs: string, path = "/support/new") => {
    const again = await signInAs(service, email);
    return service.call(path, { headers: { accept: "text/html", cookie: `${again.cookie}; ${pairs}` } });
  };

  test("is encrypted, short-lived, and for the form's page only", async () => {
    const { answer } = await keep({ text: TEXT, subject: "Ink" });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe("/sign-in?next=%2Fsupport%2Fnew&ended=kept");
    const { all, pairs } = setCookies(answer);
    expect(all[0]).toMatch(/; Path=\/support\/new; Max-Age=1800; HttpOnly; SameSite=Lax$/);
    expect(Buffer.from(pairs.split("=")[1] ?? "", "base64url").toString("latin1")).not.toContain("Ink");
  });

  test("is restored once, for the session's own person", async () => {
    const { answer, email } = await keep({ text: TEXT, subject: "Paper" });
    const { pairs } = setCookies(answer);
    expect((await openPage("somebody@example.com", pairs)).text).not.toContain("Paper");
    const back = await openPage(email, pairs);
    expect(back.text).toContain('value="Paper"');
    expect(back.text).toContain("&lt;b>twice");
    expect(setCookies(back)).toMatchObject({ pairs: "" });
    expect(setCookies(back).all).toHaveLength(3);
    // A changed one is ignored.
    const changed = `${pairs.slice(0, 40)}${pairs[40] === "A" ? "B" : "A"}${pairs.slice(41)}`;
    expect((await openPage(email, changed)).text).not.toContain('value="Paper"');
  });

  test("is not stored when too large, or of another kind", async () => {
    const random = Array.from({ length: 5_000 }, () =>
      String.fromCharCode(0x4e00 + Math.floor(Math.random() * 20_000)),
    );
    const long = await keep({ text: random.join("") });
    expect(long.answer.status).toBe(303);
    expect(setCookies(long.answer).all).toEqual([]);
    const deletion = await keep({ email: "a@example.com" }, "/account/data/delete", "/account/data");
    expect(deletion.answer.headers.get("location")).toBe("/sign-in?next=%2Faccount%2Fdata&ended=yes");
    expect(setCookies(deletion.answer).all).toEqual([]);
  });

  test("leads back to a page of this site only", async () => {
    const person = await signInAs(service, "lead@example.com");
    await end(await signInAs(service, "lead@example.com"));
    const withReferer = (referer: string) =>
      service.call("/checkout", {
        method: "POST",
        body: "",
        headers: {
          accept: "text/html",
          cookie: person.cookie,
          referer,
          "content-type": "application/x-www-form-urlencoded",
        },
      });
    const leadsTo = async (referer: string) => (await withReferer(referer)).headers.get("location");
    expect(await leadsTo(`${service.url}/products/kit?licence=client`)).toBe(
      "/sign-in?next=%2Fproducts%2Fkit%3Flicence%3Dclient&ended=yes",
    );
    expect(await leadsTo("https://evil.example/products/kit")).toBe("/sign-in?next=");
  });

  test("never contains secrets", () => {
    const forms = createKeptForms([new Uint8Array(32).fill(7)], true);
    const cookies: string[] = [];
    const reply = { header: (_name: string, value: string) => cookies.push(value) } as never;
    const request = { body: new Form("csrf_token=a&api_secret=b&password=c&subject=d") } as never;
    forms.keep(request, reply, { path: "/support/new", account: null });
    expect(cookies[0]).toMatch(/; Secure$/);
    const cookie = cookies.map((each) => each.split(";")[0]).join("; ");
    const asked = { url: "/support/new", headers: { cookie }, person: { accountId: "acc_1" } } as never;
    expect(forms.take(asked, reply)?.entries()).toEqual([["subject", "d"]]);
  });
});

test("no test of this file logged a bug", () => {
  expect(service.errors).toEqual([]);
});
