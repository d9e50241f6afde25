// Export and deletion of an account: as a page, as JSON, and in the database.
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { ProviderOutput } from "../../core/adapters/providers/provider.ts";
import { setLowCredits } from "../../core/identity/accounts/change-settings.ts";
import { eraseDeletedAccounts } from "../../core/operations/privacy/erase-accounts.ts";
import { hashApiKey } from "../../runtime/keys/api-key.ts";
import { startReceiver } from "../core/studio/webhooks/receiver.ts";
import { startMailServer } from "../support/mail-server.ts";
import { createScriptedProvider } from "../support/providers.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";
import { openBrowser } from "./support/browser.ts";
import { cookiesOf, sendForm } from "./support/forms.ts";
import { type Browser, makeKey, makeOld, signInAs } from "./support/sign-in.ts";

/** Text that identifies the owner, wherever it is stored. */
const WORDS = "unmistakable-words";

const provider = createScriptedProvider();

const mail = sharedByTests(() => startMailServer());
const service = sharedByTests(() =>
  startWholeService({
    provider,
    env: { ATELIER_SMTP_URL: mail.url, ATELIER_CALLBACK_ALLOW_PRIVATE: "1" },
  }),
);
const browser = sharedByTests(() => openBrowser(service.url));

type Person = Browser & { email: string; key: string };

/** An account on the pro plan, with a key, and credits whose memo names the owner. */
async function newPerson(name: string): Promise<Person> {
  const email = `${WORDS}-${name}@example.com`;
  const { admin } = service.core;
  const { account_id: account } = await admin.CreateAccount({ email, name: WORDS, plan: "pro" });
  await admin.GrantCredits({
    account,
    amount: 500,
    kind: "grant",
    memo: `for ${WORDS}`,
    idempotency_key: WORDS,
  });
  await admin.SetMembership({ account, tier: "plus", until: "2099-01-31T00:00:00Z" });
  await admin.ProvisionMemberKey({ account, name: WORDS });
  const person = await signInAs(service, email, WORDS);
  const { secret } = await makeKey(service, person, { name: WORDS });
  return { ...person, email, key: secret };
}

async function generate({ key }: Person, callbackUrl: string, idempotencyKey = WORDS): Promise<string> {
  const { body } = await service.call<{ result: { job_id: string } }>("/api/v1/connect/generate", {
    method: "POST",
    key,
    headers: { "idempotency-key": idempotencyKey },
    body: JSON.stringify({
      modality: "image",
      model_slug: "picture",
      prompt: WORDS,
      metadata: { who: WORDS },
      callback_url: callbackUrl,
    }),
  });
  return body.result.job_id;
}

const stateOf = async (jobId: string) =>
  (await service.app.mongo.db.collection<{ _id: string; state: string }>("jobs").findOne({ _id: jobId }))
    ?.state;

/** An output with a thumbnail. */
async function aPicture(): Promise<ProviderOutput> {
  const create = { width: 90, height: 60, channels: 3, background: "#336699" } as const;
  return { bytes: await sharp({ create }).png().toBuffer(), mimeType: "image/png", width: 90, height: 60 };
}

const filesOf = ({ accountId }: Person) =>
  service.app.mongo.db.collection("outputs.files").countDocuments({ "metadata.account_id": accountId });

/** Everything that is stored anywhere, as text. */
async function everything(): Promise<string> {
  const { db } = service.app.mongo;
  const names = (await db.listCollections().toArray()).map(({ name }) => name);
  const all = await Promise.all(
    names.map(async (name) => `${name}: ${JSON.stringify(await db.collection(name).find().toArray())}`),
  );
  return all.join("\n");
}

const remove = (person: Browser, email: string) => sendForm(person, "/account/data/delete", { email });
const exportOf = (person: Browser) => sendForm(person, "/account/data/export");

describe("an export of an account", () => {
  test("[DATA-01] contains all data of the account, and no secret", async () => {
    const person = await newPerson("export");
    const receiver = await startReceiver();
    const jobId = await generate(person, `${receiver.url}/${WORDS}`);
    (await waitFor("the call", () => provider.calls.at(-1))).finish([await aPicture()]);
    await waitFor("the delivery", () => receiver.received.length === 1);
    await receiver.close();

    await setLowCredits(service.app, person.accountId, 40);

    const { status, headers, text } = await exportOf(person);
    expect(status).toBe(200);
    expect(headers.get("content-disposition")).toMatch(
      /^attachment; filename="atelier-\d{4}-\d\d-\d\d\.json"$/,
    );
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(JSON.parse(text)).toMatchObject({
      account: {
        account_id: person.accountId,
        email: person.email,
        name: WORDS,
        plan: "pro",
        credits: { low_below: 40, expiring: [{ grant_id: expect.stringMatching(/_monthly_/) }] },
      },
      membership: { tier: "plus" },
      keys: [{ name: WORDS, masked: expect.stringMatching(/^atl_gen_….{4}$/) }],
      member_keys: [{ masked: expect.stringMatching(/^atl_mem_….{4}$/) }],
      sessions: [{ session_id: person.sessionId, user_agent: WORDS }],
      licences: [],
      ledger: [
        { kind: "debit" },
        { kind: "reserve" },
        { kind: "grant", memo: `for ${WORDS}` },
        { kind: "grant" },
      ],
      jobs: [
        {
          job_id: jobId,
          prompt: WORDS,
          metadata: { who: WORDS },
          outputs: [
            {
              mime_type: "image/png",
              thumbnails: [{ url: expect.stringContaining("&signature="), width: 90, height: 60 }],
            },
          ],
          deliveries: [{ event: "job.completed", attempts: [{ http_status: 204 }] }],
        },
      ],
    });
    expect(text).not.toContain(person.key);
    expect(text).not.toContain(hashApiKey(person.key));
    expect(text).not.toContain("whsec_");
  });

  test("is complete above one page of jobs and entries", async () => {
    const person = await newPerson("many");
    const { db } = service.app.mongo;
    for (let i = 0; i < 130; i++)
      await service.core.admin.GrantCredits({
        account: person.accountId,
        amount: 1,
        kind: "grant",
        memo: "",
      });
    const { text } = await exportOf(person);
    const { ledger } = JSON.parse(text) as { ledger: { seq: number }[] };
    expect(ledger.map(({ seq }) => seq)).toEqual(Array.from({ length: 132 }, (_, i) => 132 - i));
    expect(await db.collection("ledger").countDocuments({ account_id: person.accountId })).toBe(132);
  });
});

describe("deleting an account", () => {
  test("[DATA-02] leaves a verifiable ledger without personal data, cancels waiting jobs, and erases running ones once they end", async () => {
    const person = await newPerson("gone");
    const receiver = await startReceiver();
    const url = `${receiver.url}/${WORDS}`;
    const earlier = provider.calls.length;
    const done = await generate(person, url, "1");
    (await waitFor("the first call", () => provider.calls[earlier])).finish([await aPicture()]);
    await waitFor("the first job", async () => (await stateOf(done)) === "completed");
    await waitFor("its delivery", () => receiver.received.length === 1);
    expect(await filesOf(person)).toBe(2);
    const before = provider.calls.length;
    const running: string[] = [];
    for (let i = 0; i < 5; i++) running.push(await generate(person, url, `r${i}`));
    await waitFor("five to run", () => provider.calls.length === before + 5);
    const waiting = await generate(person, url, "w");

    const refused = await remove(person, "somebody-else@example.com");
    expect([refused.status, refused.text.includes("This must be the address of this account.")]).toEqual([
      400,
      true,
    ]);
    const removed = await remove(person, ` ${person.email.toUpperCase()} `);
    expect([removed.status, removed.headers.get("location")]).toEqual([303, "/account-deleted"]);

    expect((await person.call("/account/api/me")).status).toBe(401);
    expect((await service.call("/api/credits/balance", { key: person.key })).status).toBe(401);
    await waitFor("the waiting job's end", async () => (await stateOf(waiting)) === "cancelled");
    expect(await stateOf(running[0] ?? "")).toBe("running");
    expect(await eraseDeletedAccounts(service.app)).toBe(0);
    for (const call of provider.calls.slice(before)) call.finish();
    for (const jobId of running)
      await waitFor("a running job's end", async () => (await stateOf(jobId)) === "completed");
    // Between its end and the next sweep a job still has a delivery to the removed URL.
    expect(await service.audit()).toEqual([]);
    await waitFor("the erasure", async () => {
      await eraseDeletedAccounts(service.app);
      return !(await everything()).includes(`${WORDS}-gone`);
    });

    const left = await service.app.mongo.db
      .collection("ledger")
      .find({ account_id: person.accountId })
      .toArray();
    expect(left.map(({ kind }) => String(kind)).sort()).toEqual(
      [
        "grant",
        // The plan's credits.
        "grant",
        ...Array.from({ length: 6 }, () => "debit"),
        ...Array.from({ length: 7 }, () => "reserve"),
        "release",
      ].sort(),
    );
    expect(await service.audit()).toEqual([]);
    expect(receiver.received).toHaveLength(1);
    await receiver.close();
  });

  test("lets the audit find later changes of a ledger without memos", async () => {
    const person = await newPerson("sealed");
    await remove(person, person.email);
    await waitFor(
      "the erasure",
      async () =>
        (await everything()).includes(`"memo_seal"`) && (await eraseDeletedAccounts(service.app)) >= 0,
    );
    expect(await service.audit()).toEqual([]);
    const ledger = service.app.mongo.db.collection<{ account_id: string; source: string }>("ledger");
    await ledger.updateOne({ account_id: person.accountId }, { $set: { source: "api" } });
    expect(await service.audit()).toEqual([expect.stringContaining("hash does not fit its content")]);
    await ledger.updateOne({ account_id: person.accountId }, { $set: { source: "system" } });
  });

  test("pressed twice, says both times that the account is deleted", async () => {
    const person = await newPerson("twice");
    const answers = await Promise.all([remove(person, person.email), remove(person, person.email)]);
    // The session may have ended before the second press was read.
    for (const { status, headers } of answers)
      expect([status, headers.get("location")]).toEqual([
        303,
        expect.stringMatching(/^\/(account-deleted|sign-in)/),
      ]);
  });

  test("needs a fresh sign-in, and frees the address for an unrelated new account", async () => {
    const person = await newPerson("again");
    await makeOld(service, person);
    const refused = await remove(person, person.email);
    expect(refused.headers.get("location")).toBe("/sign-in?again=1&next=%2Faccount%2Fdata");
    const fresh = await signInAs(service, person.email);
    expect((await remove(fresh, person.email)).headers.get("location")).toBe("/account-deleted");
    const anew = await signInAs(service, person.email);
    expect(anew.accountId).not.toBe(person.accountId);
    const { body } = await anew.call<{ result: object }>("/account/api/me");
    expect(body.result).toMatchObject({ email: person.email, plan: "free" });
    expect(
      (
        await service.core.credits.GetBalance(
          {},
          { caller: { kind: "account", accountId: anew.accountId, source: "app" } },
        )
      ).balance,
    ).toBe(0);
  });

  test("is permanent: no operator's command restores it", async () => {
    const person = await newPerson("final");
    const account = person.accountId;
    await remove(person, person.email);
    const { admin } = service.core;
    for (const change of [
      () => admin.SetAccountStatus({ account, status: "active" }),
      () => admin.SetPlan({ account, plan: "studio" }),
      () => admin.GrantCredits({ account, amount: 1, kind: "grant", memo: "" }),
      () => admin.CreateAccountKey({ account, key: { name: "x", scope: "read" } }),
      () => admin.SetMembership({ account, tier: "plus", until: "2099-01-31T00:00:00Z" }),
    ])
      await expect(change()).rejects.toMatchObject({ code: "not_found" });
    expect(await admin.GetAccount({ account })).toMatchObject({ status: "deleted", email: "", name: "" });
  });

  test.each([true, false])(
    "[DATA-02] is confirmed on a page by typing the address: with scripts %s",
    async (scripts) => {
      const person = await newPerson(`page-${scripts}`);
      const visit = { cookies: cookiesOf(person), scripts, expectedErrors: /400/ };
      await browser.visit("/account/data", visit, async ({ page, expectGoodInEveryLight }) => {
        if (scripts) await expectGoodInEveryLight("account-data");
        const download = page.waitForEvent("download");
        await page.getByRole("button", { name: "Download your data" }).click();
        expect((await download).suggestedFilename()).toMatch(/^atelier-.*\.json$/);
        await page.getByLabel("Your email address, to confirm").fill("ada@example.com");
        await page.getByRole("button", { name: "Delete the account permanently" }).click();
        await page.getByText("This must be the address of this account.").waitFor();
        await page.getByLabel("Your email address, to confirm").fill(person.email);
        await page.getByRole("button", { name: "Delete the account permanently" }).click();
        await page.getByRole("heading", { name: "Your account is deleted" }).waitFor();
        if (scripts) await expectGoodInEveryLight("account-deleted");
      });
      expect((await person.call("/account/api/me")).status).toBe(401);
      await waitFor("the last mail", () =>
        mail.received.some(({ to, raw }) => to.includes(person.email) && raw.includes("is deleted")),
      );
    },
  );
});

test("no test of this file logged a bug", () => {
  expect(service.errors).toEqual([]);
});
