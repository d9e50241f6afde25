// Member keys and generation keys are created, counted, listed and revoked separately, and authenticating either costs the same.
import { beforeEach, describe, expect, test } from "vitest";
import { authenticate } from "../../../../core/identity/accounts/authenticate.ts";
import { revokeAnyKey, revokeKey, revokeMemberKey } from "../../../../core/identity/accounts/change-key.ts";
import { createKey, provisionMemberKey } from "../../../../core/identity/accounts/create-key.ts";
import { listKeys, listMemberKeys } from "../../../../core/identity/accounts/list-keys.ts";
import { MAX_LIVE_KEYS } from "../../../../core/identity/accounts/rules.ts";
import { keys } from "../../../../core/identity/accounts/store.ts";
import { setAccountStatus } from "../../../../core/identity/sessions/set-account-status.ts";
import type { App } from "../../../../core/kernel/app.ts";
import { setMembership } from "../../../../core/shop/memberships/change-membership.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { apiKeyKind, hashApiKey } from "../../../../runtime/keys/api-key.ts";
import { createCustomer, useTestApp } from "../../../support/app.ts";
import { refusalOf } from "../../../support/refusal.ts";

const assistant = { name: "assistant", expiresAt: null };
const server = { name: "server", scope: "write", expiresAt: null };

const { app } = useTestApp();

let accountId: string;
beforeEach(async () => {
  ({ accountId } = await createCustomer(app));
});

describe("a member key", () => {
  test("has its own prefix and is stored as a hash and a mask", async () => {
    const { secret, key } = await provisionMemberKey(app, accountId, assistant);
    expect(apiKeyKind(secret)).toBe("mem");
    expect(key).toMatchObject({
      _id: hashApiKey(secret),
      kind: "mem",
      masked: `atl_mem_…${secret.slice(-4)}`,
    });
    const stored = await keys(app.mongo.db).find({ account_id: accountId }).toArray();
    expect(JSON.stringify(stored)).not.toContain(secret.slice("atl_mem_".length));
  });

  test("requires a name, an expiry in the future if any, and an active account, but no plan with the API", async () => {
    const { accountId: free } = await createCustomer(app, { plan: "free" });
    await provisionMemberKey(app, free, assistant);
    const wrong = { name: " ", expiresAt: new Date(0) };
    expect(await refusalOf(provisionMemberKey(app, free, wrong))).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "name" }, { path: "expires_at" }],
    });
    await setAccountStatus(app, free, "suspended");
    expect(await refusalOf(provisionMemberKey(app, free, assistant))).toMatchObject({
      code: "account_suspended",
    });
  });

  test("has its own limit per account, which holds under parallel requests", async () => {
    const made = await Promise.allSettled(
      Array.from({ length: MAX_LIVE_KEYS + 3 }, () => provisionMemberKey(app, accountId, assistant)),
    );
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(MAX_LIVE_KEYS);
    await createKey(app, accountId, server);
    const [first] = await listMemberKeys(app, accountId);
    await revokeMemberKey(app, first?.key_id ?? "");
    await provisionMemberKey(app, accountId, assistant);
  });

  test("is neither listed nor revoked by its owner, and commands for one kind of key do not affect the other", async () => {
    const { key: mine } = await provisionMemberKey(app, accountId, assistant);
    const { key: generation } = await createKey(app, accountId, server);
    expect((await listKeys(app, accountId)).map(({ kind }) => kind)).toEqual(["gen", "gen"]);
    expect((await listMemberKeys(app, accountId)).map(({ key_id }) => key_id)).toEqual([mine.key_id]);
    const refusals = [
      await refusalOf(revokeKey(app, accountId, mine.key_id)),
      await refusalOf(revokeAnyKey(app, mine.key_id)),
      await refusalOf(revokeMemberKey(app, generation.key_id)),
    ];
    for (const refusal of refusals)
      expect(refusal).toEqual(await refusalOf(revokeMemberKey(app, "key_none")));
    expect(await keys(app.mongo.db).countDocuments({ account_id: accountId, revoked_at: null })).toBe(3);
    const revoked = await revokeMemberKey(app, mine.key_id);
    expect(await revokeMemberKey(app, mine.key_id)).toEqual(revoked);
  });
});

describe("authenticating callers in a batch", () => {
  /** The App with a log of the collections that are read. */
  function watched(): { watchedApp: App; read: string[] } {
    const read: string[] = [];
    const db = new Proxy(app.mongo.db, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (name === "collection") read.push(String(args[0]));
          return value.apply(target, args) as unknown;
        };
      },
    });
    return { watchedApp: { ...app, mongo: { ...app.mongo, db } }, read };
  }

  test("reads keys and accounts once for all parallel calls, with no extra query for members", async () => {
    await setMembership(app, accountId, { tier: "plus", until: new Date("2999-01-01") });
    const { secret } = await provisionMemberKey(app, accountId, assistant);
    const member: Caller = { kind: "key", keySha256: hashApiKey(secret), source: "member" };
    const { caller: program } = await createCustomer(app);
    for (const batch of [[program], [member], [program, member, program]]) {
      const { watchedApp, read } = watched();
      await Promise.all(batch.map((caller) => authenticate(watchedApp, caller, "write")));
      expect(read.toSorted()).toEqual(["accounts", "api_keys"]);
    }
  });

  test("reads a key that is known and its account at the same time", async () => {
    const { caller } = await createCustomer(app);
    await authenticate(app, caller, "write");
    const { watchedApp, read } = watched();
    const answer = authenticate(watchedApp, caller, "write");
    // The queries are sent in this turn of the event loop, and answered in a later one.
    await new Promise(setImmediate);
    expect(read.toSorted()).toEqual(["accounts", "api_keys"]);
    await answer;
  });

  test("reads tiers only for members", async () => {
    const { caller: program } = await createCustomer(app);
    const without: App = { ...app, tiers: () => Promise.reject(new Error("asked for tiers")) };
    await authenticate(without, program, "write");
    const member: Caller = { ...program, source: "member" } as Caller;
    await expect(authenticate(without, member, "write")).rejects.toThrow("asked for tiers");
  });
});
