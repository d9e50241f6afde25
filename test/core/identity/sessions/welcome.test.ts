// One account of a mailbox gets the free plan's credits, the mailbox gets its welcome credits once, and new accounts are limited by
// network.
import { createHash, randomBytes } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { getAccount } from "../../../../core/identity/accounts/get-account.ts";
import { setPlan } from "../../../../core/identity/accounts/set-terms.ts";
import type { AccountDoc } from "../../../../core/identity/accounts/store.ts";
import { openAccount } from "../../../../core/identity/credits/open-account.ts";
import { availableCredits } from "../../../../core/identity/credits/rules.ts";
import { sweepCredits } from "../../../../core/identity/credits/sweep.ts";
import { approveWelcome } from "../../../../core/identity/credits/welcome.ts";
import { createLink } from "../../../../core/identity/sessions/create-link.ts";
import { signIn } from "../../../../core/identity/sessions/sign-in.ts";
import type { App } from "../../../../core/kernel/app.ts";
import { deleteAccount } from "../../../../core/operations/privacy/erase-accounts.ts";
import { useTestApp } from "../../../support/app.ts";
import { auditFindings } from "../../../support/audit.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { refusalOf } from "../../../support/refusal.ts";

const DAY_MS = 24 * 60 * 60_000;
const WELCOME = 50;
// From now on, because MongoDB removes expired documents by its own clock.
const clock = createFakeClock(new Date());
const opened = useTestApp({ clock });
const { app } = opened;
beforeEach(() => opened.empty());

const withSettings = (config: Partial<App["config"]>): typeof app => ({
  ...app,
  config: { ...app.config, ...config },
});

async function signInAs(email: string, { on = app, address = "" } = {}): Promise<AccountDoc> {
  const hash = createHash("sha256").update(randomBytes(32)).digest("hex");
  await createLink(on, email, { tokenSha256: hash });
  return (await signIn(on, hash, { userAgent: "", network: "" }, address)).account;
}

const creditsOf = async ({ _id }: Pick<AccountDoc, "_id">) => availableCredits(await getAccount(app, _id));

async function creditsOfAll(accounts: readonly AccountDoc[]): Promise<number> {
  return (await Promise.all(accounts.map(creditsOf))).reduce((sum, credits) => sum + credits, 0);
}

/** A time after the start of every account's next period. */
async function nextMonth(): Promise<void> {
  clock.advance(32 * DAY_MS);
  await sweepCredits(app);
}

describe("welcome credits", () => {
  test("are granted once to a mailbox, for parallel sign-ins with any spellings of its address", async () => {
    const spellings = ["ada+1@gmail.com", "a.da+2@gmail.com", "a.d.a@googlemail.com", "ADA+3@Gmail.com"];
    const accounts = await Promise.all(spellings.map((email) => signInAs(email)));
    expect(new Set(accounts.map(({ _id }) => _id)).size).toBe(spellings.length);
    expect(await creditsOfAll(accounts)).toBe(WELCOME);
    expect(await app.mongo.db.collection("mailboxes").countDocuments({})).toBe(1);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("are granted to two mailboxes that differ", async () => {
    expect(await creditsOfAll([await signInAs("a.da@example.com"), await signInAs("ada@example.com")])).toBe(
      2 * WELCOME,
    );
  });

  test("are granted once, as a unique index of the database makes sure", async () => {
    await signInAs("ada@example.com");
    const mailboxes = app.mongo.db.collection("mailboxes");
    const known = await mailboxes.findOne({});
    await expect(mailboxes.insertOne({ ...known, account_id: "acc_other" })).rejects.toThrow("duplicate key");
  });

  test("are not granted again after the mailbox's account was deleted; its monthly credits are, to one account", async () => {
    const first = await signInAs("ada@example.com");
    await deleteAccount(app, first._id, first.email);
    expect(JSON.stringify(await app.mongo.db.collection("mailboxes").find().toArray())).not.toMatch(
      /ada@|example/,
    );
    const [again, other] = [await signInAs("ada+again@example.com"), await signInAs("ada@example.com")];
    expect(await creditsOfAll([again, other])).toBe(0);
    await nextMonth();
    expect(await creditsOf(again)).toBe(WELCOME);
    expect(await creditsOf(other)).toBe(0);
  });

  test("do not change what a paid plan includes", async () => {
    await signInAs("ada@example.com");
    const other = await signInAs("ada+paid@example.com");
    await setPlan(app, other._id, "starter");
    await nextMonth();
    expect(await creditsOf(other)).toBe(500);
  });
});

describe("welcome credits on hold", () => {
  const holding = () => withSettings({ holdWelcomeCredits: true });

  test("are granted by an operator's approval, once", async () => {
    const account = await signInAs("ada@example.com", { on: holding() });
    expect(await creditsOf(account)).toBe(0);
    await nextMonth();
    expect(await creditsOf(account)).toBe(0);
    const approvals = [1, 2, 3].map(() => approveWelcome(app, account.email));
    const approved = (await Promise.allSettled(approvals)).filter(({ status }) => status === "fulfilled");
    expect(approved).toHaveLength(1);
    expect(await creditsOf(account)).toBe(WELCOME);
    await nextMonth();
    expect(await creditsOf(account)).toBe(2 * WELCOME);
    expect(await auditFindings(app)).toEqual([]);
  });

  test("are granted to the mailbox's next account if the deleted one never got them", async () => {
    const first = await signInAs("ada@example.com", { on: holding() });
    await deleteAccount(app, first._id, first.email);
    expect(await creditsOf(await signInAs("ada+2@example.com"))).toBe(WELCOME);
  });

  test("are not approved for an account that has them, or whose mailbox has", async () => {
    const has = await signInAs("ada@example.com", { on: holding() });
    const other = await signInAs("ada+1@example.com", { on: holding() });
    expect(await refusalOf(approveWelcome(app, other._id))).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "account", message: expect.stringContaining("another account") as unknown }],
    });
    await approveWelcome(app, has._id);
    expect(await refusalOf(approveWelcome(app, has._id))).toMatchObject({ code: "invalid_request" });
  });

  test("are not queued for an account that an operator creates", async () => {
    const wanted = { email: "made@example.com", name: "Made", plan: "free" };
    expect(await creditsOf(await openAccount(holding(), wanted))).toBe(WELCOME);
  });
});

describe("limits of new accounts", () => {
  const limited = () => withSettings({ newAccountsPerAddress: 2, newAccountsPerNetwork: 3 });
  const from = (address: string) => ({ on: limited(), address });

  test("apply to an address and its network, and existing accounts still sign in", async () => {
    await signInAs("a@example.com", from("192.0.2.1"));
    await signInAs("b@example.com", from("192.0.2.1"));
    const refused = { code: "rate_limited" };
    expect(await refusalOf(signInAs("c@example.com", from("192.0.2.1")))).toMatchObject(refused);
    await signInAs("c@example.com", from("192.0.2.2"));
    expect(await refusalOf(signInAs("d@example.com", from("192.0.2.3")))).toMatchObject(refused);
    await signInAs("d@example.com", from("198.51.100.1"));
    await signInAs("a@example.com", from("192.0.2.1"));
    clock.advance(DAY_MS);
    await signInAs("e@example.com", from("192.0.2.1"));
  });

  test("count parallel sign-ins one after the other, and a refused link stays valid", async () => {
    const all = ["a", "b", "c", "d", "e"].map((name) => signInAs(`${name}@example.com`, from("192.0.2.1")));
    const done = (await Promise.allSettled(all)).filter(({ status }) => status === "fulfilled");
    expect(done).toHaveLength(2);
    expect(await app.mongo.db.collection("accounts").countDocuments({})).toBe(2);
    expect(await app.mongo.db.collection("sign_in_links").countDocuments({ used_at: null })).toBe(3);
  });
});
