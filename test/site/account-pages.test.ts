// The account's own pages: in a real browser, without scripts, and with hostile text.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { hashApiKey } from "../../runtime/keys/api-key.ts";
import { importRows, row } from "../core/shop/catalog/rows.ts";
import { readText, startMailServer } from "../support/mail-server.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";
import { NARROW, openBrowser } from "./support/browser.ts";
import { cookiesOf, openMailedLink, sendForm } from "./support/forms.ts";
import { type Browser, makeKey, makeOld, signInAs } from "./support/sign-in.ts";

const PAGES = ["", "/keys", "/callbacks", "/plan", "/membership", "/sessions"].map(
  (path) => `/account${path}`,
);
const XSS = '<img src=x onerror="alert(1)"><script>alert(2)</script>';

let ada: Browser;
let eve: Browser;

const mail = sharedByTests(() => startMailServer());
const service = sharedByTests(() =>
  startWholeService({
    env: { ATELIER_SMTP_URL: mail.url, ATELIER_SUPPORT_EMAIL: "help@example.com" },
  }),
);
const browser = sharedByTests(() => openBrowser(service.url));
beforeAll(async () => {
  for (const name of ["ada", "eve"])
    await service.core.admin.CreateAccount({ email: `${name}@example.com`, name, plan: "pro" });
  ada = await signInAs(service, "ada@example.com", XSS);
  eve = await signInAs(service, "eve@example.com");
});

const asPage = (person: Browser, path: string) => person.call(path, { headers: { accept: "text/html" } });

async function signInWithMail(page: Page, email: string): Promise<void> {
  await openMailedLink(page, mail, email);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/account/keys");
}

describe.each([
  ["with scripts", true],
  ["without scripts", false],
])("%s", (_how, scripts) => {
  test("[SIGN-07] signs in, creates a key, uses it over HTTP, revokes it, and the key is refused", async () => {
    const email = `person-${String(scripts)}@example.com`;
    await service.core.admin.CreateAccount({ email, name: "Person", plan: "pro" });
    await browser.visit("/account/keys", { scripts }, async ({ page, expectGoodInEveryLight }) => {
      expect(new URL(page.url()).pathname).toBe("/sign-in");
      if (scripts) await expectGoodInEveryLight("sign-in");
      await signInWithMail(page, email);

      await page.getByLabel("Name").fill("laptop");
      await page.getByLabel("Read and write").check();
      await page.getByRole("button", { name: "Create key" }).click();
      const secret = (await page.locator("#secret").textContent()) ?? "";
      expect(secret).toMatch(/^atl_gen_/);
      expect(await page.getByRole("button", { name: "Copy the new key" }).isVisible()).toBe(scripts);
      expect((await service.call("/api/models", { key: secret })).status).toBe(200);
      if (scripts) await expectGoodInEveryLight("account-keys-new");

      await page.goto("/account/keys");
      expect(await page.content()).not.toContain(secret);
      await page.locator("summary", { hasText: "Revoke… laptop" }).click();
      await page.getByRole("button", { name: "Revoke" }).click();
      await page.getByText("The key was revoked.").waitFor();
      expect((await service.call("/api/models", { key: secret })).status).toBe(401);
      expect(await page.content()).not.toContain(hashApiKey(secret));

      await page.locator(".account-menu summary").click();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.waitForURL(`${service.url}/`);
      await page.goto("/account");
      expect(new URL(page.url()).pathname).toBe("/sign-in");
    });
  });
});

describe("every account page", () => {
  test("begins with its content on a phone, and leads to the others without scripts", async () => {
    const options = { cookies: cookiesOf(ada), phone: true, scripts: false };
    await browser.visit("/account", options, async ({ page }) => {
      await page.setViewportSize({ width: NARROW, height: 740 });
      const heading = await page.locator("h1").boundingBox();
      expect(heading?.y).toBeLessThan(740 / 3);
      await page.getByText("Account: Settings").click();
      await page.getByRole("link", { name: "Webhooks" }).click();
      expect(await page.getByText("Account: Webhooks").isVisible()).toBe(true);
    });
  });

  test.each(PAGES)("%s is not cached", async (path) => {
    const { status, headers } = await asPage(ada, path);
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(headers.get("content-security-policy")).toContain("script-src 'self'");
  });
});

test("a key's request for approval is accessible, with and without scripts, for any prompt", async () => {
  await service.core.admin.GrantCredits({ account: eve.accountId, amount: 100, kind: "grant" });
  const newKey = { name: XSS, scope: "write", confirm_above: 20 };
  const { secret } = await makeKey(service, eve, newKey);
  const body = { modality: "image", model_slug: "picture", prompt: XSS, params: { count: 4 } };
  const asking = { key: secret, method: "POST", body };
  const ask = () => service.call<{ confirm_url: string }>("/api/v1/connect/generate", asking);
  const path = new URL((await ask()).body.confirm_url).pathname;
  const visit = { cookies: cookiesOf(eve) };
  await browser.visit(path, visit, ({ expectGoodInEveryLight }) => expectGoodInEveryLight("account-confirm"));
  await browser.visit(path, { ...visit, scripts: false }, async ({ page }) => {
    await page.getByRole("button", { name: "Yes, and do not ask for an hour" }).click();
    await page.getByText("It is being made.").waitFor();
    await page.getByText("this key does not ask for jobs of up to 40 credits").waitFor();
  });
  expect((await ask()).status).toBe(202);
  expect((await ask()).status).toBe(202);
});

describe("user-written text", () => {
  test("is escaped: key names and user agents", async () => {
    const made = await sendForm(ada, "/account/keys", { name: XSS, scope: "read" });
    expect(made.status).toBe(201);
    for (const { text } of [
      made,
      await asPage(ada, "/account/keys"),
      await asPage(ada, "/account/sessions"),
    ]) {
      expect(text).not.toContain("<img src=x");
      expect(text).not.toContain("<script>alert");
      expect(text).toContain("&lt;img src=x");
    }
    await browser.visit("/account/sessions", { cookies: cookiesOf(ada) }, async ({ page }) => {
      expect(await page.getByText(XSS, { exact: true }).count()).toBe(1);
    });
  });

  test("is kept in the form as it was sent, with the error", async () => {
    const { status, text } = await sendForm(ada, "/account/keys", {
      name: " ",
      scope: '"><b>',
      expires: "1999-01-01",
    });
    expect(status).toBe(400);
    expect(text).toContain("This is required.");
    expect(text).toContain("This must be read or write.");
    expect(text).toContain("This must be in the future.");
    expect(text).not.toContain("<b>");
    expect(text).toContain('value="1999-01-01"');
  });
});

describe("the account pages", () => {
  test("show the webhook secret once, then which header uses which secret during a rotation", async () => {
    const person = await signInAs(service, "caller@example.com");
    expect((await asPage(person, "/account/callbacks")).text).toContain("None yet");
    const first = await sendForm(person, "/account/callbacks/secret");
    expect(first.status).toBe(201);
    const secret = /whsec_[\w+/=]+/.exec(first.text)?.[0] ?? "none";
    const after = await asPage(person, "/account/callbacks");
    expect(after.text).toContain("Only you have it.");
    expect(after.text).not.toContain(secret);
    const second = await sendForm(person, "/account/callbacks/secret");
    expect(second.text).not.toContain(secret);
    const words = async () =>
      (await asPage(person, "/account/callbacks")).text.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
    expect(await words()).toMatch(/webhook-signature the new secret and the old one; the old one stops/);
    expect(await words()).toMatch(
      /x-service-signature the old secret, until you switch, or automatically .+ UTC/,
    );
    expect((await sendForm(person, "/account/callbacks/switch")).status).toBe(303);
    expect(await words()).toMatch(/x-service-signature the new secret /);
    expect(await words()).not.toContain("Switch to the new secret");
    const again = await sendForm(person, "/account/callbacks/switch");
    expect(again.status).toBe(400);
    expect(again.text).toContain("There is no new webhook secret to switch to.");
  });

  test("offer no key on a plan without the API, and refuse a forged request for one", async () => {
    const person = await signInAs(service, "free@example.com");
    const { text } = await asPage(person, "/account/keys");
    expect(text).toContain("Try Pro for 14 days");
    expect(text).not.toContain("Create key");
    const refused = await sendForm(person, "/account/keys", { name: "x", scope: "read" });
    expect(refused.status).toBe(403);
    expect(refused.text).not.toContain("atl_gen_");
  });

  test.each([
    ["with scripts", true],
    ["without scripts", false],
  ])(
    "[SIGN-08] require a fresh sign-in to create a key, and return to the draft: %s",
    async (_how, scripts) => {
      const email = `yesterday-${scripts}@example.com`;
      const person = await signInAs(service, email);
      await service.core.admin.SetPlan({ account: email, plan: "pro" });
      await makeOld(service, person);
      await browser.visit(
        "/account/keys",
        { cookies: cookiesOf(person), scripts },
        async ({ page, expectGoodInEveryLight }) => {
          await page.getByLabel("Name").fill("laptop & co");
          await page.getByLabel("Read and write").check();
          await page.getByRole("button", { name: "Create key" }).click();
          await page.getByRole("heading", { name: "Sign in again" }).waitFor();
          if (scripts) await expectGoodInEveryLight("sign-in-again");
          expect(await page.getByLabel("Email address").inputValue()).toBe(email);
          await page.getByRole("button", { name: "Email me a code" }).click();
          await page.getByText("sent a code and a link to").waitFor();
          const link = new URL(await mail.linkFor(email));
          await page.goto(link.pathname + link.search);
          if (scripts) await expectGoodInEveryLight("sign-in-confirm");
          await page.getByRole("button", { name: "Sign in" }).click();
          await page.getByRole("heading", { name: "API keys" }).waitFor();
          expect(await page.getByLabel("Name").inputValue()).toBe("laptop & co");
          expect(await page.getByLabel("Read and write").isChecked()).toBe(true);
          await page.getByRole("button", { name: "Create key" }).click();
          expect(await page.locator("#secret").textContent()).toMatch(/^atl_gen_/);
        },
      );
      expect((await person.call("/account/api/me")).status).toBe(401);
      const notice = await waitFor("the notice", () =>
        mail.received.find(({ to, raw }) => to.includes(email) && /^subject: a new api key/im.test(raw)),
      );
      expect(readText(notice.raw)).toMatch(/laptop & co[^]+atl_gen_….{4}\r?\n[^]+\/account\/keys/);
      expect(
        await service.app.mongo.db.collection("api_keys").countDocuments({ account_id: person.accountId }),
      ).toBe(1);
    },
  );

  test("[SIGN-04] end one or all other sessions, at every gateway", async () => {
    const here = await signInAs(service, "many@example.com");
    const one = await signInAs(service, "many@example.com", "a");
    const two = await signInAs(service, "many@example.com", "b");
    const three = await signInAs(service, "many@example.com", "c");
    const elsewhere = await service.openEdge({});
    const alive = async (other: Browser) => (await other.call("/account/api/me", {}, elsewhere)).status;
    expect((await sendForm(here, `/account/sessions/${one.sessionId}/revoke`)).headers.get("location")).toBe(
      "/account/sessions?done=one",
    );
    expect([await alive(one), await alive(two)]).toEqual([401, 200]);
    await sendForm(here, "/account/sessions/revoke-others");
    expect([await alive(two), await alive(three), await alive(here)]).toEqual([401, 401, 200]);
  });

  test("show a key's usage, change its name and limit, and roll it", async () => {
    const { key_id: id, masked } = (await makeKey(service, ada, { name: "press" })).key;
    const path = `/account/keys/${id}`;
    const options = { cookies: cookiesOf(ada), scripts: false, expectedErrors: /400/ };
    await browser.visit(path, options, async ({ page }) => {
      await page.getByRole("textbox", { name: "Name" }).fill(" ");
      await page.getByLabel("Monthly limit").fill("20");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("This is required.").waitFor();
      expect(await page.getByLabel("Monthly limit").inputValue()).toBe("20");
      await page.getByRole("textbox", { name: "Name" }).fill("printing press");
      await page.getByLabel("Monthly limit").fill("250");
      await page.getByText("More limits").click();
      await page.getByLabel("Daily limit").fill("40");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Saved.").waitFor();
      expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("printing press");
      expect(await page.getByText("0 of 250 credits this month, 0 of 40 credits today").isVisible()).toBe(
        true,
      );
      await page.getByLabel("7 days").check();
      await page.getByRole("button", { name: "Roll key" }).click();
      const secret = (await page.locator("#secret").textContent()) ?? "";
      expect(secret).toMatch(/^atl_gen_/);
      expect(await page.getByText(`It takes the place of ${masked}`).isVisible()).toBe(true);
      const request = (await page.locator("#try-key").textContent()) ?? "";
      expect(request).toContain(`Bearer ${secret}`);
      expect(request).toContain('"model_slug":"picture"');
    });
    await browser.visit(path, { cookies: cookiesOf(ada) }, async ({ page, expectGoodInEveryLight }) => {
      expect(await page.getByText("Another key has taken the place of this one.").isVisible()).toBe(true);
      expect(await page.getByRole("button", { name: "Roll key" }).count()).toBe(0);
      await expectGoodInEveryLight("account-key");
    });
  });

  test("show a curl command for a new key that works when pasted", async () => {
    const buyer = await signInAs(service, "shell@example.com");
    await service.core.admin.SetPlan({ account: "shell@example.com", plan: "pro" });
    await service.core.admin.GrantCredits({ account: "shell@example.com", amount: 100, kind: "grant" });
    for (const [scope, answer] of [
      ["write", '"state":"completed"'],
      ["read", '"model_slug":"picture"'],
    ] as const) {
      const { text } = await sendForm(buyer, "/account/keys", { name: scope, scope });
      const [, encoded = ""] = /<code id="try-key">([^<]*)<\/code>/.exec(text) ?? [];
      const request = encoded.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
      // The printed URL is the configured one, and this test listens on another.
      const { stdout } = await promisify(execFile)("sh", [
        "-c",
        request.replaceAll("localhost", "127.0.0.1"),
      ]);
      expect(stdout).toContain(answer);
    }
  });

  test("change the name, and the e-mail address from the new mailbox, with an undo from the old one", async () => {
    const [before, after] = ["moving@example.com", "moved@example.com"];
    const person = await signInAs(service, before);
    const elsewhere = await signInAs(service, before);
    const tokenOf = async (to: string, path: string) => {
      const text = await waitFor(`a mail to ${to}`, () =>
        mail.received
          .filter((each) => each.to.includes(to))
          .map((each) => readText(each.raw))
          .find((each) => each.includes(path)),
      );
      return /token=([\w-]{43})/.exec(text)?.[1] ?? "";
    };
    expect((await sendForm(person, "/account/name", { name: "Mo Ving" })).status).toBe(303);
    expect((await asPage(person, "/account")).text).toContain('value="Mo Ving"');

    expect((await sendForm(person, "/account/email", { email: "nobody" })).text).toContain(
      "must be an email address",
    );
    const asked = await sendForm(person, "/account/email", { email: after });
    expect(asked.text).toContain(`sent a link to ${after}.`);
    const token = await tokenOf(after, "/email/confirm");
    // Mail scanners follow links, and press no buttons.
    await service.call(`/email/confirm?token=${token}`, { headers: { accept: "text/html" } });
    expect((await person.call("/account/api/me")).body).toMatchObject({ result: { email: before } });
    await browser.visit(`/email/confirm?token=${token}`, {}, async ({ page, expectGoodInEveryLight }) => {
      await expectGoodInEveryLight("email-confirm");
      await page.getByRole("button", { name: "Use this address" }).click();
      await page.getByRole("heading", { name: "Your address is changed" }).waitFor();
    });
    // Every session shows it, and none ended.
    for (const session of [person, elsewhere]) {
      expect((await session.call("/account/api/me")).body).toMatchObject({ result: { email: after } });
      expect((await asPage(session, "/account")).text.replaceAll(/<[^>]+>/g, "")).toContain(
        `From ${before} to ${after}.`,
      );
    }
    await browser.visit("/account", { cookies: cookiesOf(person) }, ({ expectGoodInEveryLight }) =>
      expectGoodInEveryLight("account-email-changed"),
    );

    // The old address signs in nowhere, and the notice is shown only to its reader.
    const asking = await service.call("/sign-in", {
      method: "POST",
      body: new URLSearchParams({ email: before }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html" },
    });
    expect(asking.text).toContain(before);
    await waitFor("the mail that says so", () =>
      mail.received.some(
        ({ to, raw }) => to.includes(before) && readText(raw).includes("sign in with the new address"),
      ),
    );

    const undo = await tokenOf(before, "/email/undo");
    const undoing = await service.call(`/email/undo?token=${undo}`, { headers: { accept: "text/html" } });
    expect(undoing.text.replaceAll(/<[^>]+>|\s+/g, " ").replaceAll(/ +/g, " ")).toContain(
      `The address of your account was changed from ${before} to ${after} . Change it back?`,
    );
    const pressed = await service.call("/email/undo", {
      method: "POST",
      body: new URLSearchParams({ token: undo }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "text/html" },
    });
    expect(pressed.text).toContain("Your address is back");
    expect((await person.call("/account/api/me")).status).toBe(401);
    const again = await signInAs(service, before);
    expect(again.accountId).toBe(person.accountId);
    for (const [path, next] of [
      ["/email/undo", "write to support"],
      ["/email/confirm", "mail a new link"],
    ] as const) {
      const useless = await service.call(`${path}?token=${undo}`, { headers: { accept: "text/html" } });
      expect([useless.status, useless.text]).toEqual([400, expect.stringContaining(next)]);
    }
  });

  test("do not reveal whether an address has an account, except to its mailbox", async () => {
    const person = await signInAs(service, "curious@example.com");
    const words = async (email: string) =>
      (await sendForm(person, "/account/email", { email })).text.replaceAll(email, "…");
    const withoutChange = (text: string) =>
      text.replaceAll(/…\s*waits to be confirmed[^<]*/g, "").replaceAll(/\s+/g, " ");
    const [taken, free] = [await words("eve@example.com"), await words("free-address@example.com")];
    expect(taken).toContain("sent a link to ….");
    expect(free).toContain("sent a link to ….");
    const told = await waitFor("a mail to eve", () =>
      mail.received
        .map(({ to, raw }) => (to.includes("eve@example.com") ? readText(raw) : ""))
        .find((text) => /nothing was changed/.test(text)),
    );
    expect(told).not.toContain("curious@example.com");
    expect(withoutChange(taken)).not.toContain("another account");
  });

  test("show membership and licences, and that support creates member keys", async () => {
    const { core } = service;
    await core.admin.SetMembership({
      account: "eve@example.com",
      tier: "plus",
      until: "2099-01-31T00:00:00Z",
    });
    const { text } = await asPage(eve, "/account/membership");
    expect(text).toContain("31 January 2099");
    expect(text).toContain('href="/support/new?kind=member_key"');
    expect(text).not.toMatch(/<form[^>]*action="[^"]*member/);
    expect((await asPage(ada, "/account/membership")).text).toContain("not a member yet");
  });

  test("show licences newest first, in pages, and keep them when the membership has ended", async () => {
    const { core } = service;
    const slugs = Array.from({ length: 26 }, (_, i) => `kit-${i}`);
    await importRows(
      core,
      slugs.map((slug) => row(slug, { name: `${slug} & <co>` })),
    );
    const owner = await signInAs(service, "owner@example.com");
    const account = "owner@example.com";
    await core.admin.SetMembership({ account, tier: "plus", until: "2099-01-31T00:00:00Z" });
    for (const product_slug of slugs)
      await core.admin.GrantLicence({ account, product_slug, kind: "client", source: "purchase" });
    await core.admin.EndMembership({ account });

    await browser.visit(
      "/account/membership",
      { cookies: cookiesOf(owner) },
      async ({ page, expectGoodInEveryLight }) => {
        const rows = page.locator("tbody tr");
        expect(await rows.count()).toBe(25);
        expect(await rows.first().getByRole("link").textContent()).toBe("kit-25 & <co>");
        expect(await page.getByText("Everything you have licences for stays yours.").isVisible()).toBe(true);
        await expectGoodInEveryLight("account-membership-lapsed");
        await page.getByRole("link", { name: "Older licences" }).click();
        await page.waitForURL("**/account/membership?cursor=*");
        expect(await rows.count()).toBe(1);
        expect(await rows.first().getByRole("link").getAttribute("href")).toBe("/products/kit-0");
      },
    );
  });
});

test("no test of this file logged a bug", () => {
  expect(service.errors).toEqual([]);
});
