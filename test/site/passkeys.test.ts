// Passkeys on the whole service: with an authenticator that can return wrong responses, and once in a real browser with its virtual one.
import { expect, test } from "vitest";
import { getAccount } from "../../core/identity/accounts/get-account.ts";
import { addPasskey } from "../../core/identity/sessions/passkeys.ts";
import { setAccountStatus } from "../../core/identity/sessions/set-account-status.ts";
import { type Authenticator, createAuthenticator, type Deviation } from "../support/authenticator.ts";
import { startMailServer } from "../support/mail-server.ts";
import { refusalOf } from "../support/refusal.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";
import { openBrowser } from "./support/browser.ts";
import { cookiesOf, sendForm } from "./support/forms.ts";
import { type Browser, makeOld, signInAs } from "./support/sign-in.ts";

const ONE_TOO_MANY = "It is one too many: an account has at most 10. Remove one first.";
let made = 0;

const mail = sharedByTests(() => startMailServer());
const service = sharedByTests(() =>
  startWholeService({ worker: false, env: { ATELIER_SMTP_URL: mail.url } }),
);

type Started = { options: { challenge: string }; proof: string };
type Answering = { mark: string; fields: Record<string, string>; options: Started["options"] };

const cookieOf = (headers: Headers) => headers.get("set-cookie")?.split(";")[0] ?? "";
const somebody = () => signInAs(service, `passkey-${(made += 1)}@example.com`);

/** Options from `path`, and a form's fields with the response. */
async function start(path: string, who?: Browser): Promise<Answering> {
  const init = { method: "POST", headers: { "sec-fetch-site": "same-origin" } };
  const { body, headers, status } = await (who
    ? who.call<Started>(path, { method: "POST" })
    : service.call<Started>(path, init));
  expect(status).toBe(200);
  const { options, proof } = body;
  return { mark: cookieOf(headers), fields: { challenge: options.challenge, proof }, options };
}

const startAdding = (who: Browser) => start("/account/api/passkeys/start", who);
const startSigningIn = () => start("/sign-in/passkey/start");

function add(who: Browser, { mark, fields }: Answering, response: string, name = "My phone") {
  const inBrowser = { ...who, call: withCookie(who, mark) };
  return sendForm(inBrowser, "/account/passkeys", { ...fields, response, passkey_name: name });
}

const withCookie =
  (who: Browser, mark: string): Browser["call"] =>
  (path, init = {}) =>
    who.call(path, { ...init, headers: { ...init.headers, cookie: `${who.cookie}; ${mark}` } });

const enter = ({ mark, fields }: Answering, response: string) =>
  service.call("/sign-in/passkey", {
    method: "POST",
    body: new URLSearchParams({ ...fields, response, next: "/jobs" }).toString(),
    headers: {
      accept: "text/html",
      cookie: mark,
      "sec-fetch-site": "same-origin",
      "content-type": "application/x-www-form-urlencoded",
    },
  });

async function holder(deviation: Deviation = {}): Promise<{ who: Browser; device: Authenticator }> {
  const [who, device] = [await somebody(), createAuthenticator()];
  const asked = await startAdding(who);
  const { status, headers } = await add(who, asked, device.create(asked.options, service.url, deviation));
  expect([status, headers.get("location")]).toEqual([303, "/account?done=passkey"]);
  return { who, device };
}

const rows = () => service.app.mongo.db.collection<{ _id: string; account_id: string }>("passkeys");
const passkeyOf = async ({ accountId }: Browser) =>
  (await rows().findOne({ account_id: accountId }))?._id ?? "";
const expireAll = () =>
  service.app.mongo.db.collection("passkey_challenges").updateMany({}, { $set: { expires_at: new Date(0) } });

test("[SIGN-11] a passkey signs in to its account, and each challenge works once", async () => {
  // Without a signature counter, only the challenge detects a repeated response.
  const noCount = { counter: 0 };
  const { who, device } = await holder(noCount);
  const asked = await startSigningIn();
  const response = device.get(asked.options, service.url, noCount);
  const { status, headers } = await enter(asked, response);
  expect([status, headers.get("location")]).toEqual([303, "/jobs"]);
  const me = await service.call("/account/api/me", { headers: { cookie: cookieOf(headers) } });
  expect(me.body).toMatchObject({ result: { account_id: who.accountId } });

  const again = await enter(asked, response);
  expect([again.status, again.headers.get("set-cookie")]).toEqual([400, null]);
  expect(again.text).toContain("This passkey doesn’t work here.");
  const subject = "A new passkey of your Atelier account";
  await waitFor("the mail about the passkey", () =>
    mail.received.some((one) => JSON.stringify(one).includes(subject)),
  );
  const page = await who.call("/account", { headers: { accept: "text/html" } });
  expect(page.text).toContain("My phone");
});

test("[SIGN-11] a response that is not the passkey's own is refused, and opens no session", async () => {
  const { who, device } = await holder();
  const other = await holder();
  const [mine, theirs] = [await passkeyOf(who), await passkeyOf(other.who)];
  const deviations: Record<string, Deviation> = {
    "another origin": { origin: "https://evil.example" },
    "another challenge": { challenge: "AAAA" },
    "the passkey of another account": {
      credentialId: theirs,
      userHandle: Buffer.from(other.who.accountId).toString("base64url"),
    },
    "the account of another": { userHandle: Buffer.from(other.who.accountId).toString("base64url") },
    "an unknown passkey": { credentialId: Buffer.alloc(32, 7).toString("base64url") },
    "a user who was not verified": { isUnverified: true },
    "a count that does not grow": { counter: 1 },
  };
  for (const [what, deviation] of Object.entries(deviations)) {
    const asked = await startSigningIn();
    const { status, headers } = await enter(asked, device.get(asked.options, service.url, deviation));
    expect([what, status, headers.get("set-cookie")]).toEqual([what, 400, null]);
  }
  for (const response of ["", "null", "{}", '{"id":1,"response":{}}', "x".repeat(5_000)])
    expect((await enter(await startSigningIn(), response)).status).toBe(400);

  const elsewhere = await startSigningIn();
  const { mark } = await startSigningIn();
  expect((await enter({ ...elsewhere, mark }, device.get(elsewhere.options, service.url))).status).toBe(400);
  const toAdd = await startAdding(who);
  expect(
    (await enter(toAdd, device.get({ ...toAdd.options, rpId: "127.0.0.1" } as never, service.url))).status,
  ).toBe(400);
  const late = await startSigningIn();
  await expireAll();
  expect((await enter(late, device.get(late.options, service.url))).status).toBe(400);

  await setAccountStatus(service.app, who.accountId, "suspended");
  const suspended = await startSigningIn();
  expect((await enter(suspended, device.get(suspended.options, service.url))).status).toBe(403);
  await setAccountStatus(service.app, who.accountId, "active");
  expect((await sendForm(other.who, `/account/passkeys/${mine}/remove`)).status).toBe(404);
  const back = await signInAs(service, `passkey-${made - 1}@example.com`);
  expect((await sendForm(back, `/account/passkeys/${mine}/remove`)).status).toBe(303);
  const again = await sendForm(back, `/account/passkeys/${mine}/remove`);
  expect([again.status, again.text.includes("This passkey is not in your list any more.")]).toEqual([
    404,
    true,
  ]);
  expect(again.text).toContain('id="passkeys"');
  const removed = await startSigningIn();
  expect((await enter(removed, device.get(removed.options, service.url))).status).toBe(400);
});

test("[SIGN-11] a passkey is added only for the account that requested it, in a fresh session, and once", async () => {
  const { who, device } = await holder();
  const eve = await somebody();
  const refused = async (asked: Answering, response: string, by = eve) => {
    expect((await add(by, asked, response)).status).toBe(400);
  };
  const another = createAuthenticator();
  const ofAda = await startAdding(who);
  await refused(ofAda, another.create(ofAda.options, service.url));
  const deviations: Deviation[] = [
    { origin: "https://evil.example" },
    { credentialId: await passkeyOf(who) },
    { isUnverified: true },
    { hasCertificate: true },
  ];
  for (const deviation of deviations) {
    const asked = await startAdding(eve);
    await refused(asked, createAuthenticator().create(asked.options, service.url, deviation));
  }
  const toSignIn = await startSigningIn();
  const rp = { rp: { id: "127.0.0.1" } };
  await refused(toSignIn, another.create({ ...toSignIn.options, ...rp }, service.url));
  const twice = await startAdding(who);
  expect((await add(who, twice, device.create(twice.options, service.url))).status).toBe(400);

  const asked = await startAdding(eve);
  await makeOld(service, eve);
  const { status, headers } = await add(eve, asked, another.create(asked.options, service.url));
  expect([status, headers.get("location")]).toEqual([303, "/sign-in?again=1&next=%2Faccount"]);
  expect(await rows().countDocuments({ account_id: eve.accountId })).toBe(0);
});

test("[SIGN-11] an account gets ten passkeys, also if more are added at the same time, and a refusal says to remove one", async () => {
  const who = await somebody();
  const asked = await Promise.all(Array.from({ length: 12 }, () => startAdding(who)));
  const sent = await Promise.all(
    asked.map((one) => add(who, one, createAuthenticator().create(one.options, service.url))),
  );
  expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    ...Array.from({ length: 10 }, () => 303),
    400,
    400,
  ]);
  for (const { status, text } of sent) if (status === 400) expect(text).toContain(ONE_TOO_MANY);
  expect(await rows().countDocuments({ account_id: who.accountId })).toBe(10);
  // A browser that gets no options sends the form without a response.
  expect((await who.call("/account/api/passkeys/start", { method: "POST" })).status).toBe(400);
  const without = await sendForm(who, "/account/passkeys", { passkey_name: "One more" });
  expect([without.status, without.text]).toEqual([400, expect.stringContaining(ONE_TOO_MANY)]);
});

test("a refused passkey is reported with what to do, and a refused name beside the passkey's own field", async () => {
  const who = await somebody();
  const asked = await startAdding(who);
  const elsewhere = await add(who, { ...asked, mark: "" }, "{}");
  expect(elsewhere.text).toContain("It was not made in this browser: reload the page and try again.");
  const refused = await add(who, asked, "{}");
  expect(refused.text).toContain("Your passkey was not added.");
  expect(refused.text).toContain("It was not accepted: try again.");
  const again = await startAdding(who);
  const unnamed = await add(who, again, createAuthenticator().create(again.options, service.url), " ");
  expect(unnamed.text).toMatch(/id="passkey_name"[^>]*aria-invalid/);
  expect(unnamed.text).not.toMatch(/id="name"[^>]*aria-invalid/);
});

test("[SIGN-11] a passkey is not added by a request that began before the account had another address", async () => {
  const who = await somebody();
  const account = await getAccount(service.app, who.accountId);
  const { options } = await startAdding(who);
  const answer = {
    challenge: options.challenge,
    responseJson: createAuthenticator().create(options, service.url),
    origin: service.url,
    name: "My phone",
  };
  const former = { ...account, email: `former-${account.email}` };
  expect(await refusalOf(addPasskey(service.app, former, answer))).toMatchObject({ code: "invalid_request" });
  expect(await rows().countDocuments({ account_id: who.accountId })).toBe(0);
});

test("a browser adds a passkey in the settings and signs in with it", async () => {
  const baseUrl = service.url.replace("127.0.0.1", "localhost");
  const browser = await openBrowser(baseUrl);
  const who = await signInAs(service, "browser@example.com");
  try {
    await browser.visit(
      "/account",
      { cookies: cookiesOf(who, baseUrl) },
      async ({ page, expectGoodInEveryLight }) => {
        const device = await page.context().newCDPSession(page);
        await device.send("WebAuthn.enable");
        await device.send("WebAuthn.addVirtualAuthenticator", {
          options: {
            protocol: "ctap2",
            transport: "internal",
            hasResidentKey: true,
            hasUserVerification: true,
            isUserVerified: true,
            automaticPresenceSimulation: true,
          },
        });
        await page.getByLabel("Name of the passkey").fill("This laptop");
        await page.getByRole("button", { name: "Add a passkey" }).click();
        await page.getByText("Your passkey is added.").waitFor();
        await page.getByRole("rowheader", { name: "This laptop" }).waitFor();
        await expectGoodInEveryLight("settings-passkeys");
        await page.context().clearCookies();
        await page.goto("/sign-in?next=/credits");
        await expectGoodInEveryLight("sign-in-passkey");
        await page.getByRole("button", { name: "Sign in with a passkey" }).click();
        await page.waitForURL("**/credits");
      },
    );
    await browser.visit("/sign-in", { scripts: false }, async ({ page }) => {
      expect(await page.getByRole("button", { name: "Sign in with a passkey" }).count()).toBe(0);
    });
  } finally {
    await browser.close();
  }
  const removed = await sendForm(who, `/account/passkeys/${await passkeyOf(who)}/remove`);
  expect(removed.status).toBe(303);
});
