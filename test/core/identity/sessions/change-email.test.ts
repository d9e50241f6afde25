// A change of e-mail address, confirmed from the new mailbox and undone from the old one.
import { createHash, randomBytes } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { createAccount } from "../../../../core/identity/accounts/create-account.ts";
import { getAccount } from "../../../../core/identity/accounts/get-account.ts";
import { startTrial } from "../../../../core/identity/accounts/start-trial.ts";
import { emails } from "../../../../core/identity/accounts/store.ts";
import {
  describeEmailChange,
  findUsableEmailLink,
  startEmailChange,
  useEmailLink,
} from "../../../../core/identity/sessions/change-email.ts";
import { checkSession } from "../../../../core/identity/sessions/check-session.ts";
import { createLink } from "../../../../core/identity/sessions/create-link.ts";
import { signIn } from "../../../../core/identity/sessions/sign-in.ts";
import { useTestApp } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { refusalOf } from "../../../support/refusal.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const clock = createFakeClock();
const context = useTestApp({ clock });

let made = 0;
let accountId: string;
let before: string;
let after: string;
beforeEach(async () => {
  made += 1;
  before = `before-${made}@example.com`;
  after = `after-${made}@example.com`;
  ({ _id: accountId } = await createAccount(context.app, { email: before, name: "Ada", plan: "free" }));
});

const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");
const newHash = () => hashOf(randomBytes(32).toString("base64url"));

async function start(email = after, id = accountId, network = "") {
  const tokenSha256 = newHash();
  return { tokenSha256, ...(await startEmailChange(context.app, id, { email, tokenSha256, network })) };
}

async function change(email = after): Promise<void> {
  await useEmailLink(context.app, (await start(email)).tokenSha256);
}

/** The hash of the undo token in the newest mail to an address. */
async function undoHash(to: string): Promise<string> {
  const mail = await context.app.mongo.db
    .collection("mails")
    .findOne({ account_id: accountId, to, kind: "account.email_changed" }, { sort: { created_at: -1 } });
  const token = /\/email\/undo\?token=([\w-]{43})\n/.exec(String(mail?.["text"]))?.[1];
  if (token === undefined) throw new Error(`nothing was mailed to ${to}`);
  return hashOf(token);
}

const emailOf = async (id: string) => (await getAccount(context.app, id)).email;

describe("a change of e-mail address", () => {
  test("is confirmed from the new mailbox in one step, and the old one gets a link to undo it", async () => {
    const { tokenSha256, link } = await start(`  ${after.toUpperCase()} `);
    expect(link).toMatchObject({ kind: "change", from: before, to: after });
    expect(await emailOf(accountId)).toBe(before);
    expect(await describeEmailChange(context.app, accountId)).toMatchObject({ wanted: { to: after } });

    await useEmailLink(context.app, tokenSha256);
    expect(await emailOf(accountId)).toBe(after);
    expect((await getAccount(context.app, after))._id).toBe(accountId);
    expect(await refusalOf(getAccount(context.app, before))).toMatchObject({ code: "not_found" });
    const { wanted, done } = await describeEmailChange(context.app, accountId);
    expect([wanted, done?.to]).toEqual([undefined, before]);
    expect(await undoHash(before)).toBe(done?._id);
    expect(await refusalOf(useEmailLink(context.app, tokenSha256))).toMatchObject({ code: "invalid_link" });
  });

  test("is valid for an hour, and a second request replaces the first", async () => {
    const first = await start();
    const second = await start(`other-${after}`);
    expect(await refusalOf(findUsableEmailLink(context.app, first.tokenSha256))).toMatchObject({
      code: "invalid_link",
    });
    clock.advance(HOUR_MS - 1);
    expect(await findUsableEmailLink(context.app, second.tokenSha256)).toMatchObject({ from: before });
    clock.advance(1);
    expect(await refusalOf(useEmailLink(context.app, second.tokenSha256))).toMatchObject({
      code: "invalid_link",
    });
    expect(await emailOf(accountId)).toBe(before);
  });

  test("never takes another account's address, whether owned before or since", async () => {
    await createAccount(context.app, { email: `theirs-${after}`, name: "Eve", plan: "free" });
    expect(await start(`theirs-${after}`)).toMatchObject({ refused: "taken" });
    const { tokenSha256 } = await start();
    const eve = await createAccount(context.app, { email: after, name: "Eve", plan: "free" });
    expect(await refusalOf(useEmailLink(context.app, tokenSha256))).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "email" }],
    });
    expect([await emailOf(accountId), await emailOf(eve._id)]).toEqual([before, after]);
    expect(await emails(context.app.mongo.db).findOne({ _id: before })).toEqual({
      _id: before,
      account_id: accountId,
    });
  });

  test("of two parallel requests for one address succeeds for one", async () => {
    const eve = await createAccount(context.app, {
      email: `eve-${made}@example.com`,
      name: "Eve",
      plan: "free",
    });
    const [mine, theirs] = [await start(), await start(after, eve._id)];
    const ends = await Promise.allSettled(
      [mine, theirs].map(({ tokenSha256 }) => useEmailLink(context.app, tokenSha256)),
    );
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const holders = [await emailOf(accountId), await emailOf(eve._id)].filter((email) => email === after);
    expect(holders).toHaveLength(1);
  });

  test("is refused for an invalid address, the current one, and above the mail quota", async () => {
    for (const email of ["ada", before])
      expect(await refusalOf(start(email))).toMatchObject({
        code: "invalid_request",
        issues: [{ path: "email" }],
      });
    const results = [];
    for (let i = 0; i < 4; i++) results.push((await start(after, accountId, `net-${made}`)).refused);
    expect(results).toEqual([undefined, undefined, undefined, "over quota"]);
  });

  test("reserves the old address while the change can be undone", async () => {
    await change();
    expect((await createLink(context.app, before, { tokenSha256: newHash() })).givenUp).toBe(true);
    const eve = await createAccount(context.app, {
      email: `eve-${made}@example.com`,
      name: "Eve",
      plan: "free",
    });
    expect(await start(before, eve._id)).toMatchObject({ refused: "taken" });
    expect(
      await refusalOf(createAccount(context.app, { email: before, name: "Eve", plan: "free" })),
    ).toMatchObject({ code: "invalid_request" });
    const kept = await emails(context.app.mongo.db).findOne({ _id: before });
    const { done } = await describeEmailChange(context.app, accountId);
    expect(kept?.reserved_until?.getTime()).toBeGreaterThan(done?.expires_at.getTime() ?? Infinity);
    // The account itself may take the address again.
    await change(before);
    expect(await emailOf(accountId)).toBe(before);
  });

  test("takes along the mails that wait or may be resent, and back when it is undone; others and links to undo stay where they are", async () => {
    await startTrial(context.app, accountId);
    const stored = context.app.mongo.db.collection<{ _id: string; kind: string; status: string }>("mails");
    const started = await stored.findOne({ account_id: accountId, kind: "trial.started" });
    if (!started) throw new Error("the trial's mail is missing");
    await stored.updateOne({ _id: started._id }, { $set: { status: "sent" } });
    await stored.insertOne({
      ...started,
      _id: `${started._id}-given-up`,
      kind: "given-up",
      status: "failed",
    });
    const recipients = async () => {
      const found = await context.app.mongo.db.collection("mails").find({ account_id: accountId }).toArray();
      return found.map(({ kind, to }) => `${kind} ${to}`).toSorted();
    };
    const third = `third-${after}`;
    await change();
    await change(before);
    await change(third);
    const changes = [after, before, before].map((to) => `account.email_changed ${to}`).toSorted();
    const sent = `trial.started ${before}`;
    expect(await recipients()).toEqual([...changes, `given-up ${third}`, `trial.ending ${third}`, sent]);
    await useEmailLink(context.app, await undoHash(before));
    expect(await recipients()).toEqual([
      ...changes,
      `account.email_restored ${before}`,
      `given-up ${before}`,
      `trial.ending ${before}`,
      sent,
    ]);
  });
});

describe("undoing a change of address", () => {
  test("restores the address and revokes all sessions, within a week", async () => {
    const tokenSha256 = newHash();
    await createLink(context.app, before, { tokenSha256 });
    const { session } = await signIn(context.app, tokenSha256, { userAgent: "a", network: "b" });
    await change();
    // Existing sessions stay, so that the user can see the change.
    expect((await checkSession(context.app, accountId, session._id)).account.email).toBe(after);
    const undo = await undoHash(before);
    clock.advance(7 * DAY_MS - 1);
    await useEmailLink(context.app, undo);
    expect(await emailOf(accountId)).toBe(before);
    expect(await emails(context.app.mongo.db).findOne({ _id: after })).toBeNull();
    expect(await refusalOf(checkSession(context.app, accountId, session._id))).toMatchObject({
      code: "not_signed_in",
    });
    expect(await refusalOf(useEmailLink(context.app, undo))).toMatchObject({ code: "invalid_link" });
  });

  test("undoes all later changes, however many", async () => {
    await change();
    const undo = await undoHash(before);
    clock.advance(1000);
    await change(`third-${after}`);
    const later = await undoHash(after);
    const { tokenSha256: waiting } = await start(`fourth-${after}`);
    clock.advance(1000);
    await useEmailLink(context.app, undo);
    expect(await emailOf(accountId)).toBe(before);
    for (const hash of [later, waiting])
      expect(await refusalOf(useEmailLink(context.app, hash))).toMatchObject({ code: "invalid_link" });
    const held = await emails(context.app.mongo.db).find({ account_id: accountId }).toArray();
    expect(held).toEqual([{ _id: before, account_id: accountId }]);
  });

  test("expires after a week", async () => {
    await change();
    const undo = await undoHash(before);
    clock.advance(7 * DAY_MS);
    expect(await refusalOf(useEmailLink(context.app, undo))).toMatchObject({ code: "invalid_link" });
    expect(await emailOf(accountId)).toBe(after);
  });
});
