import { beforeEach, describe, expect, test } from "vitest";
import { changeKey, revokeKey } from "../../../../core/identity/accounts/change-key.ts";
import { createAccount } from "../../../../core/identity/accounts/create-account.ts";
import { createKey } from "../../../../core/identity/accounts/create-key.ts";
import { createKeyUsage } from "../../../../core/identity/accounts/key-usage.ts";
import { listKeys } from "../../../../core/identity/accounts/list-keys.ts";
import { MAX_LIVE_KEYS } from "../../../../core/identity/accounts/rules.ts";
import { keys } from "../../../../core/identity/accounts/store.ts";
import type { App } from "../../../../core/kernel/app.ts";
import { apiKeyKind, hashApiKey, maskApiKey } from "../../../../runtime/keys/api-key.ts";
import { useTestApp } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { refusalOf } from "../../../support/refusal.ts";

const clock = createFakeClock();
const context = useTestApp({ clock });

let accountNumber = 0;
async function newAccountOn(plan: string): Promise<string> {
  const { _id } = await createAccount(context.app, {
    email: `keys-${accountNumber++}@example.com`,
    name: "Keys",
    plan,
  });
  return _id;
}

const writeKey = { name: "server", scope: "write", expiresAt: null };

let accountId: string;
beforeEach(async () => {
  accountId = await newAccountOn("pro");
});

describe("creating a key", () => {
  test.each([
    ...[0, -1, 1.5, 1_000_000_001].map((maxCredits) => ["max_credits", { maxCredits }] as const),
    ...[0, -1, 1.5].map((day) => ["caps.day", { caps: { day } }] as const),
    ...[-1, 1.5, 1_000_000_001].map((confirmAbove) => ["confirm_above", { confirmAbove }] as const),
  ])("is refused for its %s: %j", async (path, limits) => {
    expect(await refusalOf(createKey(context.app, accountId, { ...writeKey, ...limits }))).toMatchObject({
      code: "invalid_request",
      issues: [{ path }],
    });
  });

  test("[AUTH-08] returns the whole key once and stores only its hash and mask", async () => {
    const { app } = context;
    const { secret, key } = await createKey(app, accountId, { name: " CI ", scope: "read", expiresAt: null });
    expect(apiKeyKind(secret)).toBe("gen");
    expect(key).toEqual({
      _id: hashApiKey(secret),
      key_id: expect.stringMatching(/^key_[0-9A-Z]{26}$/),
      account_id: accountId,
      kind: "gen",
      name: "CI",
      scope: "read",
      masked: maskApiKey(secret),
      created_at: clock.now(),
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
    });
    const everything = JSON.stringify(await keys(app.mongo.db).find().toArray());
    expect(everything).not.toContain(secret);
    expect(everything).not.toContain(secret.slice("atl_gen_".length, -4));
  });

  test("[AUTH-07] stops at 20 live keys under parallel requests", async () => {
    const { app } = context;
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, () => createKey(app, accountId, writeKey)),
    );
    const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    expect(refused).toHaveLength(50 - MAX_LIVE_KEYS);
    for (const reason of refused) expect(reason).toMatchObject({ code: "key_limit_reached" });
    expect(await keys(app.mongo.db).countDocuments({ account_id: accountId })).toBe(MAX_LIVE_KEYS);
  });

  test("does not count revoked or expired keys, or those of other accounts", async () => {
    const { app } = context;
    const soon = new Date(clock.now().getTime() + 60_000);
    const first = await createKey(app, accountId, writeKey);
    await createKey(app, accountId, { ...writeKey, expiresAt: soon });
    for (let i = 2; i < MAX_LIVE_KEYS; i++) await createKey(app, accountId, writeKey);
    await createKey(app, await newAccountOn("studio"), writeKey);
    expect(await refusalOf(createKey(app, accountId, writeKey))).toMatchObject({ code: "key_limit_reached" });

    await revokeKey(app, accountId, first.key.key_id);
    await createKey(app, accountId, writeKey);
    expect(await refusalOf(createKey(app, accountId, writeKey))).toMatchObject({ code: "key_limit_reached" });

    clock.advance(60_000);
    await createKey(app, accountId, writeKey);
    expect(await refusalOf(createKey(app, accountId, writeKey))).toMatchObject({ code: "key_limit_reached" });
  });
});

test("revoking a key keeps the time of the first revocation", async () => {
  const { app } = context;
  const { key } = await createKey(app, accountId, writeKey);
  const first = clock.now();
  expect(await revokeKey(app, accountId, key.key_id)).toMatchObject({
    key_id: key.key_id,
    revoked_at: first,
  });
  clock.advance(60_000);
  expect(await revokeKey(app, accountId, key.key_id)).toMatchObject({
    key_id: key.key_id,
    revoked_at: first,
  });
});

describe("the list of keys", () => {
  test("shows live and revoked keys of its own account, newest first", async () => {
    const { app } = context;
    const names: string[] = [];
    for (const name of ["first", "second", "third"]) {
      clock.advance(1_000);
      const { key } = await createKey(app, accountId, { ...writeKey, name });
      names.unshift(key.name);
      if (name === "second") await revokeKey(app, accountId, key.key_id);
    }
    await createKey(app, await newAccountOn("pro"), writeKey);
    const listed = await listKeys(app, accountId);
    expect(listed.map(({ name }) => name)).toEqual(names);
    expect(listed.map(({ revoked_at }) => revoked_at !== null)).toEqual([false, true, false]);
  });

  test("includes a live key behind hundreds of newer revoked ones", async () => {
    const { app } = context;
    const { key: old } = await createKey(app, accountId, { ...writeKey, name: "old but live" });
    const now = clock.now().getTime();
    await keys(app.mongo.db).insertMany(
      Array.from({ length: 250 }, (_, i) => ({
        ...old,
        _id: hashApiKey(`${accountId} ${i}`),
        key_id: app.newId("key"),
        created_at: new Date(now + 1 + i),
        revoked_at: new Date(now + 1 + i),
      })),
    );
    const listed = await listKeys(app, accountId);
    expect(listed).toHaveLength(201);
    expect(listed.at(-1)).toEqual(old);
  });
});

test("changes of one key at the same time all stand", async () => {
  const { app } = context;
  const { key } = await createKey(app, accountId, writeKey);
  const which = { accountId, keyId: key.key_id };
  for (let round = 1; round <= 20; round++) {
    const changed = { name: `server ${round}`, max_credits: 100 + round, confirm_above: round };
    await Promise.all([
      changeKey(app, which, { name: changed.name }),
      changeKey(app, which, { maxCredits: changed.max_credits }),
      changeKey(app, which, { confirmAbove: changed.confirm_above }),
    ]);
    expect(await keys(app.mongo.db).findOne({ _id: key._id })).toMatchObject(changed);
  }
});

async function newKey(): Promise<{ hash: string; lastUse: () => Promise<Date | null | undefined> }> {
  const { key } = await createKey(context.app, accountId, { name: "use", scope: "read", expiresAt: null });
  const lastUse = async () =>
    (await listKeys(context.app, accountId)).find(({ key_id }) => key_id === key.key_id)?.last_used_at;
  return { hash: key._id, lastUse };
}

/** The app, with all bulk writes counted and the first `failures` of them failing. */
function watchWrites(app: App, failures = 0): { app: App; writes: () => number } {
  let writes = 0;
  const db = new Proxy(app.mongo.db, {
    get: (target, name) =>
      name === "collection"
        ? () => {
            writes++;
            if (writes <= failures) throw new Error("the database is away");
            return target.collection("api_keys");
          }
        : Reflect.get(target, name),
  });
  return { app: { ...app, mongo: { ...app.mongo, db } }, writes: () => writes };
}

describe("the last use of a key", () => {
  test("[AUTH-10] is stored to the minute", async () => {
    const { hash, lastUse } = await newKey();
    const usage = createKeyUsage(context.app);
    clock.set("2026-01-01T10:20:30.456Z");
    expect(await lastUse()).toBeNull();
    usage.note(hash, clock.now());
    await usage.flush();
    expect(await lastUse()).toEqual(new Date("2026-01-01T10:20:00.000Z"));
    await usage.stop();
  });

  test("is written once for all requests of a minute", async () => {
    const { app, writes } = watchWrites(context.app);
    const { hash, lastUse } = await newKey();
    const usage = createKeyUsage(app);
    clock.set("2026-01-01T11:00:00Z");
    for (let second = 0; second < 60; second += 10) {
      usage.note(hash, clock.now());
      await usage.flush();
      clock.advance(10_000);
    }
    expect(writes()).toBe(1);
    usage.note(hash, clock.now());
    await usage.flush();
    expect(writes()).toBe(2);
    expect(await lastUse()).toEqual(new Date("2026-01-01T11:01:00Z"));
    await usage.stop();
    expect(writes()).toBe(2);
  });

  test("is never overwritten by an earlier time of another core", async () => {
    const { hash, lastUse } = await newKey();
    const [late, early] = [createKeyUsage(context.app), createKeyUsage(context.app)];
    late.note(hash, new Date("2026-01-01T12:05:00Z"));
    early.note(hash, new Date("2026-01-01T12:01:00Z"));
    await late.stop();
    await early.stop();
    expect(await lastUse()).toEqual(new Date("2026-01-01T12:05:00Z"));
  });

  test("is written when the process stops", async () => {
    const { hash, lastUse } = await newKey();
    const usage = createKeyUsage(context.app);
    usage.note(hash, new Date("2026-01-01T13:00:00Z"));
    await usage.stop();
    expect(await lastUse()).toEqual(new Date("2026-01-01T13:00:00Z"));
  });

  test("is written by the next flush after a database outage, which no request sees", async () => {
    const { hash, lastUse } = await newKey();
    const { app } = watchWrites(context.app, 1);
    const usage = createKeyUsage(app);
    usage.note(hash, new Date("2026-01-01T14:00:00Z"));
    await expect(usage.flush()).rejects.toThrow("away");
    expect(await lastUse()).toBeNull();
    await usage.flush();
    expect(await lastUse()).toEqual(new Date("2026-01-01T14:00:00Z"));
    await usage.stop();
  });
});
