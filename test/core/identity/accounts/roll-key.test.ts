// Changing a key's name and limit, and rolling it while the old one keeps working.
import { beforeEach, describe, expect, test } from "vitest";
import { authenticate } from "../../../../core/identity/accounts/authenticate.ts";
import { changeKey, revokeKey, rollKey } from "../../../../core/identity/accounts/change-key.ts";
import { createAccount } from "../../../../core/identity/accounts/create-account.ts";
import { createKey, type MadeKey } from "../../../../core/identity/accounts/create-key.ts";
import { listKeys } from "../../../../core/identity/accounts/list-keys.ts";
import { MAX_LIVE_KEYS } from "../../../../core/identity/accounts/rules.ts";
import { keys } from "../../../../core/identity/accounts/store.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { hashApiKey } from "../../../../runtime/keys/api-key.ts";
import { useTestApp } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { refusalOf } from "../../../support/refusal.ts";

const HOUR_MS = 3_600_000;
const clock = createFakeClock();
const context = useTestApp({ clock });

let accounts = 0;
let accountId: string;
let old: MadeKey;
beforeEach(async () => {
  const email = `roll-${accounts++}@example.com`;
  ({ _id: accountId } = await createAccount(context.app, { email, name: "Roll", plan: "pro" }));
  const wanted = { name: "server", scope: "write", expiresAt: null, maxCredits: 500 };
  old = await createKey(context.app, accountId, wanted);
});

const of = ({ key }: MadeKey) => ({ accountId, keyId: key.key_id });
const callWith = (secret: string): Caller => ({ kind: "key", keySha256: hashApiKey(secret), source: "api" });
const codeOf = async (secret: string) =>
  (await refusalOf(authenticate(context.app, callWith(secret), "write")).catch(() => undefined))?.code ??
  "let in";

describe("rolling a key", () => {
  test.each([
    ["1h", HOUR_MS],
    ["24h", 24 * HOUR_MS],
    ["7d", 168 * HOUR_MS],
  ])("creates a key like it, and the old one works for %s and no longer", async (overlap, ms) => {
    const began = clock.now().getTime();
    const rolled = await rollKey(context.app, of(old), overlap);
    expect(rolled.key).toMatchObject({ name: "server", scope: "write", max_credits: 500, expires_at: null });
    expect(rolled.key.key_id).not.toBe(old.key.key_id);
    expect(rolled.old).toMatchObject({ replaced_by: rolled.key.key_id, expires_at: new Date(began + ms) });
    clock.advance(ms - 1);
    expect([await codeOf(old.secret), await codeOf(rolled.secret)]).toEqual(["let in", "let in"]);
    clock.advance(1);
    expect([await codeOf(old.secret), await codeOf(rolled.secret)]).toEqual(["invalid_key", "let in"]);
  });

  test("continues the old key's spending, and never outlives its expiry", async () => {
    const { db } = context.app.mongo;
    const spent = { month: clock.now().toISOString().slice(0, 7), credits: 480 };
    const lastDay = new Date(clock.now().getTime() + 2 * HOUR_MS);
    await keys(db).updateOne({ _id: old.key._id }, { $set: { spent, expires_at: lastDay } });
    const rolled = await rollKey(context.app, of(old), "7d");
    expect(rolled.key).toMatchObject({ spent, expires_at: lastDay });
    expect(rolled.old.expires_at).toEqual(lastDay);
  });

  test("is refused for an ended, replaced or foreign key, and for any other overlap", async () => {
    const refused = (keyId: string, overlap = "1h", owner = accountId) =>
      refusalOf(rollKey(context.app, { accountId: owner, keyId }, overlap));
    expect(await refused(old.key.key_id, "8h")).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "overlap" }],
    });
    expect(await refused(old.key.key_id, "1h", "acc_other")).toMatchObject({ code: "not_found" });
    expect(await refused("key_none")).toMatchObject({ code: "not_found" });
    await rollKey(context.app, of(old), "24h");
    expect(await refused(old.key.key_id)).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "key_id", message: expect.stringContaining("replaced already") }],
    });
    await revokeKey(context.app, accountId, old.key.key_id);
    const { issues } = await refused(old.key.key_id);
    expect(issues).toContainEqual({ path: "key_id", message: "has ended" });
  });

  test("respects the limit of live keys, and exactly one of many parallel requests succeeds", async () => {
    const rolls = await Promise.allSettled(
      Array.from({ length: 5 }, () => rollKey(context.app, of(old), "1h")),
    );
    expect(rolls.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const live = await listKeys(context.app, accountId);
    expect(live).toHaveLength(2);
    const wanted = { name: "more", scope: "read", expiresAt: null };
    let last = old;
    for (let made = live.length; made < MAX_LIVE_KEYS; made++)
      last = await createKey(context.app, accountId, wanted);
    expect(await refusalOf(rollKey(context.app, of(last), "1h"))).toMatchObject({
      code: "key_limit_reached",
    });
    expect(
      (await listKeys(context.app, accountId)).find(({ key_id }) => key_id === last.key.key_id),
    ).not.toHaveProperty("replaced_by");
  });
});

describe("changing a key", () => {
  test("sets name and limit independently, and removes a limit", async () => {
    expect(await changeKey(context.app, of(old), { name: " build  " })).toMatchObject({
      name: "build",
      max_credits: 500,
    });
    expect(await changeKey(context.app, of(old), { maxCredits: 20 })).toMatchObject({
      name: "build",
      max_credits: 20,
    });
    const free = await changeKey(context.app, of(old), { maxCredits: null });
    expect(free).not.toHaveProperty("max_credits");
    expect(await codeOf(old.secret)).toBe("let in");
  });

  test("keeps this month's spending when a limit is removed and set again", async () => {
    const spent = { month: clock.now().toISOString().slice(0, 7), credits: 480 };
    await keys(context.app.mongo.db).updateOne({ _id: old.key._id }, { $set: { spent } });
    await changeKey(context.app, of(old), { maxCredits: null });
    expect(await changeKey(context.app, of(old), { maxCredits: 500 })).toMatchObject({ spent });
  });

  test("is refused with each wrong field, and for an ended or foreign key", async () => {
    const refused = (change: { name?: string; maxCredits?: number | null }, owner = accountId) =>
      refusalOf(changeKey(context.app, { accountId: owner, keyId: old.key.key_id }, change));
    expect(await refused({ name: "", maxCredits: 0 })).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "name" }, { path: "max_credits" }],
    });
    expect(await refused({ name: "mine" }, "acc_other")).toMatchObject({ code: "not_found" });
    await revokeKey(context.app, accountId, old.key.key_id);
    expect(await refused({ name: "late" })).toMatchObject({
      issues: [{ path: "key_id", message: "has ended" }],
    });
  });
});
