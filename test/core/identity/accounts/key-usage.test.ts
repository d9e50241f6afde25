import { beforeAll, describe, expect, test } from "vitest";
import { createAccount } from "../../../../core/identity/accounts/create-account.ts";
import { createKey } from "../../../../core/identity/accounts/create-key.ts";
import { createKeyUsage } from "../../../../core/identity/accounts/key-usage.ts";
import { listKeys } from "../../../../core/identity/accounts/list-keys.ts";
import type { App } from "../../../../core/kernel/app.ts";
import { useTestApp } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";

const clock = createFakeClock();
let accountId: string;
const context = useTestApp({ clock });
beforeAll(async () => {
  ({ _id: accountId } = await createAccount(context.app, {
    email: "use@example.com",
    name: "Use",
    plan: "pro",
  }));
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
