import { describe, expect, test } from "vitest";
import type { App } from "../../../../core/kernel/app.ts";
import { revokeServiceName } from "../../../../core/kernel/services/names.ts";
import { createRevokedNames } from "../../../../core/kernel/services/revoked-names.ts";
import { OWN_SERVICE_NAMES } from "../../../../runtime/config/service-names.ts";
import { useTestApp } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { refusalOf } from "../../../support/refusal.ts";

const clock = createFakeClock();
const context = useTestApp({ clock });

/** The app, with its queries counted, and failing while `away`. */
function watchReads(app: App, state: { away: boolean }): { app: App; reads: () => number } {
  let reads = 0;
  const db = new Proxy(app.mongo.db, {
    get(target, name) {
      if (name !== "collection") return Reflect.get(target, name);
      reads++;
      if (state.away) throw new Error("the database is away");
      return target.collection.bind(target);
    },
  });
  return { app: { ...app, mongo: { ...app.mongo, db } }, reads: () => reads };
}

describe("a revoked service name", () => {
  test("[AUTH-12] is refused within a second by every core", async () => {
    const { app } = context;
    const [here, there] = [createRevokedNames(app), createRevokedNames(app)];
    expect(await here.isRevoked("billing")).toBe(false);
    expect(await there.isRevoked("billing")).toBe(false);
    await revokeServiceName(app, "billing");
    clock.advance(1_000);
    expect(await here.isRevoked("billing")).toBe(true);
    expect(await there.isRevoked("billing")).toBe(true);
    expect(await there.isRevoked("search")).toBe(false);
  });

  test("stays refused when it is revoked again", async () => {
    const { app } = context;
    await revokeServiceName(app, "twice");
    await revokeServiceName(app, "twice");
    expect(await createRevokedNames(app).isRevoked("twice")).toBe(true);
  });

  test.each([...OWN_SERVICE_NAMES, "", "Not A Name"])("cannot be %j", async (name) => {
    expect(await refusalOf(revokeServiceName(context.app, name))).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "name" }],
    });
  });
});

describe("the check of revoked names", () => {
  test("queries the database at most once a second for any number of calls", async () => {
    const { app, reads } = watchReads(context.app, { away: false });
    const names = createRevokedNames(app);
    await Promise.all(Array.from({ length: 100 }, () => names.isRevoked("search")));
    clock.advance(999);
    await names.isRevoked("search");
    expect(reads()).toBe(1);
    clock.advance(1);
    await Promise.all(Array.from({ length: 100 }, () => names.isRevoked("search")));
    expect(reads()).toBe(2);
  });

  test("refuses all calls when its names are too old, and recovers automatically", async () => {
    const state = { away: false };
    const { app } = watchReads(context.app, state);
    const names = createRevokedNames(app);
    await names.isRevoked("search");
    state.away = true;
    expect(await names.isRevoked("search")).toBe(false);
    clock.advance(1_000);
    await expect(names.isRevoked("search")).rejects.toThrow("the database is away");
    state.away = false;
    expect(await names.isRevoked("search")).toBe(false);
  });

  test("[OPS-21] uses the last known names while the process's own database is down", async () => {
    const state = { away: false };
    const { app } = watchReads(context.app, state);
    const ownDatabase = { isStopped: () => state.away, isShortOfSpace: () => false };
    const names = createRevokedNames({ ...app, ownDatabase });
    await revokeServiceName(context.app, "gone");
    await names.isRevoked("search");
    state.away = true;
    clock.advance(60_000);
    expect(await names.isRevoked("search")).toBe(false);
    expect(await names.isRevoked("gone")).toBe(true);
    await expect(createRevokedNames({ ...app, ownDatabase }).isRevoked("search")).rejects.toThrow("is away");
  });

  test("ignores names from the future after the system clock was set back", async () => {
    const { app } = context;
    const names = createRevokedNames(app);
    await names.isRevoked("drifting");
    await revokeServiceName(app, "drifting");
    clock.advance(-3_600_000);
    expect(await names.isRevoked("drifting")).toBe(true);
  });
});
