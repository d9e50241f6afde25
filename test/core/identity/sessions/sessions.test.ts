// Sign-in links and sessions on a real database.
import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { getAccount } from "../../../../core/identity/accounts/get-account.ts";
import { checkSession, identifyByEmail } from "../../../../core/identity/sessions/check-session.ts";
import { createLink } from "../../../../core/identity/sessions/create-link.ts";
import {
  listSessions,
  revokeOtherSessions,
  revokeSession,
} from "../../../../core/identity/sessions/revoke-session.ts";
import { setAccountStatus } from "../../../../core/identity/sessions/set-account-status.ts";
import { signIn } from "../../../../core/identity/sessions/sign-in.ts";
import { useTestApp } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { refusalOf } from "../../../support/refusal.ts";

const MINUTE_MS = 60_000;
const NOBODY = { userAgent: "", network: "" };
const DAY_MS = 24 * 60 * MINUTE_MS;
// From now on, because MongoDB removes expired documents by its own clock.
const clock = createFakeClock(new Date());

const { app } = useTestApp({ clock });

const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");
const newToken = () => randomBytes(32).toString("base64url");
let made = 0;
const newEmail = () => `person-${(made += 1)}@example.com`;

async function link(email: string): Promise<string> {
  const token = newToken();
  await createLink(app, email, { tokenSha256: hashOf(token) });
  return hashOf(token);
}

async function signInAs(email: string, userAgent = "Firefox", network = "") {
  return signIn(app, await link(email), { userAgent, network });
}

test("a sign-in link opens one session under parallel use", async () => {
  const email = newEmail();
  const hash = await link(email);
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => signIn(app, hash, NOBODY)));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const account = await getAccount(app, email);
  expect(await listSessions(app, account._id)).toHaveLength(1);
});

describe("sign-in mails", () => {
  let networks = 0;
  const elsewhere = () => `192.0.${(networks += 1)}.0/24`;
  const mailed = async (email: string, network = elsewhere()) =>
    !(await createLink(app, email, { tokenSha256: hashOf(newToken()) }, network)).overQuota;

  test("count every spelling of one mailbox together", async () => {
    const mailbox = `fold.${(made += 1)}`;
    const spellings = [1, 2, 3, 4].map((tag) => `${mailbox}+${tag}@gmail.com`);
    const sent = await Promise.all(
      [...spellings, `${mailbox.replaceAll(".", "")}@gmail.com`].map((email) => mailed(email)),
    );
    expect(sent.filter(Boolean)).toHaveLength(3);
  });

  test("above a quota keep the last link valid, and are not counted", async () => {
    const email = newEmail();
    const hashes = [1, 2, 3].map(() => hashOf(newToken()));
    for (const hash of hashes) await createLink(app, email, { tokenSha256: hash }, elsewhere());
    const network = elsewhere();
    for (let i = 0; i < 25; i++) expect(await mailed(email, network)).toBe(false);
    expect(await mailed(newEmail(), network)).toBe(true);
    expect((await signIn(app, hashes[2] ?? "", NOBODY)).account.email).toBe(email);
    expect(await refusalOf(signIn(app, hashes[1] ?? "", NOBODY))).toMatchObject({ code: "invalid_link" });
  });

  test("are counted one after the other when requested in parallel", async () => {
    const email = newEmail();
    const sent = await Promise.all(Array.from({ length: 8 }, () => mailed(email)));
    expect(sent.filter(Boolean)).toHaveLength(3);
  });
});

describe("signing in", () => {
  test("creates one account for parallel requests with a new address", async () => {
    const email = newEmail();
    const identified = await Promise.all(
      Array.from({ length: 6 }, () => identifyByEmail(app, { email, name: "" })),
    );
    const { account } = await signInAs(email);
    expect(new Set([...identified.map((one) => one.account), account].map(({ _id }) => _id)).size).toBe(1);
  });

  test("is refused for a suspended account until it is restored, and its earlier sessions stay revoked", async () => {
    const email = newEmail();
    const { session, account } = await signInAs(email);
    await setAccountStatus(app, email, "suspended");
    const hash = await link(email);
    expect(await refusalOf(signIn(app, hash, NOBODY))).toMatchObject({ code: "account_suspended" });
    await setAccountStatus(app, email, "active");
    expect(await refusalOf(checkSession(app, account._id, session._id))).toMatchObject({
      code: "not_signed_in",
    });
    expect((await signIn(app, hash, NOBODY)).account._id).toBe(account._id);
  });
});

describe("a session", () => {
  test("[SIGN-08] ends after 14 days without use", async () => {
    const { session, account } = await signInAs(newEmail());
    clock.advance(10 * DAY_MS);
    await checkSession(app, account._id, session._id);
    clock.advance(14 * DAY_MS - MINUTE_MS);
    expect(await listSessions(app, account._id)).toHaveLength(1);
    clock.advance(MINUTE_MS);
    expect(await listSessions(app, account._id)).toEqual([]);
    expect(await refusalOf(checkSession(app, account._id, session._id))).toMatchObject({
      code: "not_signed_in",
    });
  });

  test("a session of another account looks like an unknown one", async () => {
    const mine = await signInAs(newEmail());
    const theirs = await signInAs(newEmail());
    const unknown = await refusalOf(revokeSession(app, mine.account._id, "ses_unknown"));
    expect(unknown).toMatchObject({ code: "not_found" });
    expect(await refusalOf(revokeSession(app, mine.account._id, theirs.session._id))).toEqual(unknown);
    expect(await refusalOf(checkSession(app, mine.account._id, theirs.session._id))).toEqual(
      await refusalOf(checkSession(app, mine.account._id, "ses_unknown")),
    );
    expect((await checkSession(app, theirs.account._id, theirs.session._id)).account._id).toBe(
      theirs.account._id,
    );
  });

  test("stays when all others of its account are revoked, without effect on other accounts", async () => {
    const email = newEmail();
    const kept = await signInAs(email);
    await signInAs(email);
    await signInAs(email);
    const other = await signInAs(newEmail());
    expect(await revokeOtherSessions(app, kept.account._id, kept.session._id)).toBe(2);
    expect((await listSessions(app, kept.account._id)).map(({ _id }) => _id)).toEqual([kept.session._id]);
    expect(await listSessions(app, other.account._id)).toHaveLength(1);
  });
});

describe("an e-mail address that another issuer has verified", () => {
  test("opens its account, and names a new one", async () => {
    const email = newEmail();
    const first = await identifyByEmail(app, { email, name: "  Grace\nHopper " });
    expect(first.account).toMatchObject({ email, name: "Grace Hopper", plan: "free" });
    expect(
      (await identifyByEmail(app, { email: email.toUpperCase(), name: "Somebody else" })).account._id,
    ).toBe(first.account._id);
  });

  test("is a fresh sign-in for a day after the issuer's sign-in time, and never without that time", async () => {
    const email = newEmail();
    const freshAt = async (signedInAt: Date) =>
      (await identifyByEmail(app, { email, name: "", signedInAt })).fresh;
    const now = clock.now().getTime();
    expect(await freshAt(new Date(now - DAY_MS + 1))).toBe(true);
    expect(await freshAt(new Date(now - DAY_MS))).toBe(false);
    expect(await freshAt(new Date(Number.NaN))).toBe(false);
    expect((await identifyByEmail(app, { email, name: "" })).fresh).toBe(false);
  });

  test("of a suspended account is refused", async () => {
    const email = newEmail();
    await identifyByEmail(app, { email, name: "" });
    await setAccountStatus(app, email, "suspended");
    expect(await refusalOf(identifyByEmail(app, { email, name: "" }))).toMatchObject({
      code: "account_suspended",
    });
  });
});
