import { beforeEach, describe, expect, test } from "vitest";
import { authenticate } from "../../../../core/identity/accounts/authenticate.ts";
import { changeKey } from "../../../../core/identity/accounts/change-key.ts";
import { createAccount } from "../../../../core/identity/accounts/create-account.ts";
import { createKey } from "../../../../core/identity/accounts/create-key.ts";
import { listKeys } from "../../../../core/identity/accounts/list-keys.ts";
import { revokeAnyKey, revokeKey } from "../../../../core/identity/accounts/revoke-key.ts";
import { MAX_LIVE_KEYS } from "../../../../core/identity/accounts/rules.ts";
import { setPlan } from "../../../../core/identity/accounts/set-terms.ts";
import { setAccountStatus } from "../../../../core/identity/sessions/set-account-status.ts";
import { keys } from "../../../../core/identity/accounts/store.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { apiKeyKind, generateApiKey, hashApiKey, maskApiKey } from "../../../../runtime/keys/api-key.ts";
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
const callWith = (secret: string): Caller => ({ kind: "key", keySha256: hashApiKey(secret), source: "api" });

let accountId: string;
beforeEach(async () => {
  accountId = await newAccountOn("pro");
});

describe("creating a key", () => {
  test("returns the whole key once and stores only its hash and mask", async () => {
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

  test("reports all wrong fields together", async () => {
    const wanted = { name: "", scope: "admin", expiresAt: new Date(Number.NaN) };
    expect(await refusalOf(createKey(context.app, accountId, wanted))).toMatchObject({
      code: "invalid_request",
      issues: [
        { path: "name", message: "is required" },
        { path: "scope", message: "must be read or write" },
        { path: "expires_at", message: "must be a time such as 2030-01-31T00:00:00Z" },
      ],
    });
  });

  test("requires an expiry in the future", async () => {
    const wanted = { ...writeKey, expiresAt: clock.now() };
    expect(await refusalOf(createKey(context.app, accountId, wanted))).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "expires_at", message: "must be in the future" }],
    });
  });

  test.each(["free", "starter"])(
    "is refused on the plan %s, which does not include the API",
    async (plan) => {
      expect(await refusalOf(createKey(context.app, await newAccountOn(plan), writeKey))).toMatchObject({
        code: "plan_excludes_api",
      });
    },
  );

  test("is refused for suspended and unknown accounts", async () => {
    await setAccountStatus(context.app, accountId, "suspended");
    expect(await refusalOf(createKey(context.app, accountId, writeKey))).toMatchObject({
      code: "account_suspended",
    });
    expect(await refusalOf(createKey(context.app, "acc_unknown", writeKey))).toMatchObject({
      code: "not_found",
    });
  });

  test("stops at 20 live keys under parallel requests", async () => {
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

describe("a key", () => {
  test("authenticates with its account, id, scope and plan", async () => {
    const { app } = context;
    const { secret, key } = await createKey(app, accountId, writeKey);
    const identity = await authenticate(app, callWith(secret), "write");
    expect(identity).toMatchObject({
      account: { _id: accountId },
      plan: { _id: "pro" },
      key: { key_id: key.key_id },
      scope: "write",
    });
  });

  test("a key with write scope may read; with read scope may not write", async () => {
    const { app } = context;
    const { secret: write } = await createKey(app, accountId, writeKey);
    const { secret: read } = await createKey(app, accountId, { ...writeKey, scope: "read" });
    await authenticate(app, callWith(write), "read");
    await authenticate(app, callWith(read), "read");
    expect(await refusalOf(authenticate(app, callWith(read), "write"))).toMatchObject({
      code: "insufficient_scope",
    });
  });

  test("is refused from the next request after it is revoked; other keys of the account keep working", async () => {
    const { app } = context;
    const { secret, key } = await createKey(app, accountId, writeKey);
    const { secret: other } = await createKey(app, accountId, writeKey);
    await authenticate(app, callWith(secret), "read");
    await revokeKey(app, accountId, key.key_id);
    expect(await refusalOf(authenticate(app, callWith(secret), "read"))).toMatchObject({
      code: "invalid_key",
    });
    await authenticate(app, callWith(other), "read");
  });

  test("is refused from the moment it expires", async () => {
    const { app } = context;
    const { secret } = await createKey(app, accountId, {
      ...writeKey,
      expiresAt: new Date(clock.now().getTime() + 1_000),
    });
    clock.advance(999);
    await authenticate(app, callWith(secret), "read");
    clock.advance(1);
    expect(await refusalOf(authenticate(app, callWith(secret), "read"))).toMatchObject({
      code: "invalid_key",
    });
  });

  test("is refused while the plan excludes the API", async () => {
    const { app } = context;
    const { secret } = await createKey(app, accountId, writeKey);
    await setPlan(app, accountId, "starter");
    expect(await refusalOf(authenticate(app, callWith(secret), "read"))).toMatchObject({
      code: "plan_excludes_api",
      message: "The Starter plan does not include the generation API.",
    });
    await setPlan(app, accountId, "studio");
    await authenticate(app, callWith(secret), "write");
  });

  test("is refused while its account is suspended", async () => {
    const { app } = context;
    const { secret } = await createKey(app, accountId, writeKey);
    await setAccountStatus(app, accountId, "suspended");
    expect(await refusalOf(authenticate(app, callWith(secret), "read"))).toMatchObject({
      code: "account_suspended",
    });
    await setAccountStatus(app, accountId, "active");
    await authenticate(app, callWith(secret), "read");
  });

  test("gets the same refusal when unknown, revoked, expired or of another kind", async () => {
    const { app } = context;
    const revoked = await createKey(app, accountId, writeKey);
    await revokeKey(app, accountId, revoked.key.key_id);
    const expired = await createKey(app, accountId, {
      ...writeKey,
      expiresAt: new Date(clock.now().getTime() + 1),
    });
    clock.advance(1);
    const member = generateApiKey("mem");
    await keys(app.mongo.db).insertOne({
      ...revoked.key,
      _id: hashApiKey(member),
      key_id: app.newId("key"),
      kind: "mem",
    });
    const unknown = await refusalOf(authenticate(app, callWith(generateApiKey("gen")), "read"));
    expect(unknown).toMatchObject({ code: "invalid_key" });
    for (const secret of [revoked.secret, expired.secret, member]) {
      expect(await refusalOf(authenticate(app, callWith(secret), "read"))).toEqual(unknown);
    }
  });
});

test("a caller without a key is refused by core, and a signed-in person needs no plan with the API", async () => {
  const { app } = context;
  expect(await refusalOf(authenticate(app, { kind: "none" }, "read"))).toMatchObject({ code: "missing_key" });
  const free = await newAccountOn("free");
  const identity = await authenticate(app, { kind: "account", accountId: free, source: "app" }, "write");
  expect(identity).toMatchObject({ account: { _id: free }, key: null, scope: "write" });
});

describe("revoking a key", () => {
  test("keeps the time of the first revocation", async () => {
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

  test("gives the same refusal for another account's key as for an unknown one, and revokes nothing", async () => {
    const { app } = context;
    const stranger = await newAccountOn("pro");
    const { secret, key } = await createKey(app, stranger, writeKey);
    const foreign = await refusalOf(revokeKey(app, accountId, key.key_id));
    const missing = await refusalOf(revokeKey(app, accountId, app.newId("key")));
    expect(foreign).toMatchObject({ code: "not_found" });
    expect(foreign).toEqual(missing);
    await authenticate(app, callWith(secret), "write");
  });

  test("needs no account when an operator does it", async () => {
    const { app } = context;
    const { secret, key } = await createKey(app, accountId, writeKey);
    await revokeAnyKey(app, key.key_id);
    expect(await refusalOf(authenticate(app, callWith(secret), "read"))).toMatchObject({
      code: "invalid_key",
    });
    expect(await refusalOf(revokeAnyKey(app, "key_unknown"))).toMatchObject({ code: "not_found" });
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
