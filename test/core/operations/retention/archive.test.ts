// Old data move into sealed segments, and pages, exports, proofs and the audit stay the same.
import fc from "fast-check";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { auditAccounts } from "../../../../core/operations/audit/audit-accounts.ts";
import { archiveOld } from "../../../../core/operations/retention/archive-old.ts";
import { sharedByTests } from "../../../support/shared.ts";
import {
  createFixture,
  type Customer,
  DAY_MS,
  endWaiting,
  life,
  live,
  shown,
  SMALL,
  type Step,
} from "./histories.ts";

const world = sharedByTests(() => createFixture());
beforeEach(() => world.empty());

const count = (name: string) => world.app.mongo.db.collection(name).countDocuments();
const audited = async (customer?: Customer) =>
  (await Array.fromAsync(auditAccounts(world.app, customer?.accountId))).at(-1);
const LIFE: readonly Step[] = [
  { what: "complete", count: 3, hours: 1 },
  { what: "fail", count: 2, hours: 30 },
  { what: "grant", count: 2, hours: 1 },
  { what: "cancel", count: 2, hours: 1 },
  { what: "complete", count: 3, hours: 40 },
];

describe("archiving", () => {
  test("changes no response of an account, for any history and any cut", async () => {
    const cuts = fc.integer({ min: 60, max: 220 });
    const property = fc.asyncProperty(life, cuts, cuts, async (steps, first, second) => {
      const customer = await live(world, steps);
      // At two times, so that there are several segments and a job's entries are on both sides of a cut.
      world.clock.advance(first * DAY_MS);
      await archiveOld(world.app, undefined, { least: SMALL.least, most: { jobs: 2, entries: 3 } });
      world.clock.advance(second * DAY_MS);
      const [before, books] = [await shown(world, customer), await audited(customer)];
      await archiveOld(world.app, undefined, SMALL);
      expect(await shown(world, customer)).toEqual(before);
      expect(await audited(customer)).toEqual(books);
      expect(books?.findings).toEqual([]);
      expect(before.proof).toEqual({ broken: undefined, ends: true, sum: true });
      await endWaiting(world, customer);
    });
    await fc.assert(property, { numRuns: inject("archivedLives") });
  });

  test("moves rows out of the collections, except those of the last days", async () => {
    await live(world, LIFE);
    world.clock.advance(90 * DAY_MS);
    expect(await archiveOld(world.app, undefined, SMALL)).toBe(0);
    world.clock.advance(9 * DAY_MS);
    expect(await archiveOld(world.app, undefined, SMALL)).toBeGreaterThan(0);
    // The last step was 99 days ago.
    expect(await count("jobs")).toBe(3);
    expect(await count("ledger")).toBe(6);
    world.clock.advance(9 * DAY_MS);
    await archiveOld(world.app, undefined, SMALL);
    expect([await count("jobs"), await count("ledger"), await count("deliveries")]).toEqual([0, 0, 0]);
    expect((await audited())?.findings).toEqual([]);
  });
});
