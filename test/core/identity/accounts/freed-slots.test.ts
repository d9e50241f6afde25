// Slots that ended jobs free, and the accounts that get in line.
import fc from "fast-check";
import { expect, test } from "vitest";
import { type AccountDoc, accounts } from "../../../../core/identity/accounts/store.ts";
import { saveFreedSlots } from "../../../../core/identity/accounts/store-numbers.ts";
import { inTx } from "../../../../core/base/mongo/in-tx.ts";
import { useTestApp } from "../../../support/app.ts";

const context = useTestApp();

type State = Pick<AccountDoc, "waiting" | "running" | "served_at" | "turn" | "status">;

const states = fc.array(
  fc.record({
    waiting: fc.constantFrom(0, 0, 1, 7),
    running: fc.integer({ min: 3, max: 9 }),
    served_at: fc.integer({ min: 1, max: 1_000 }),
    turn: fc.constantFrom(null, 5),
    status: fc.constantFrom("active" as const, "suspended" as const),
    /** The number of ended jobs of each account, 0 for some. */
    freed: fc.integer({ min: 0, max: 3 }),
  }),
  { maxLength: 8 },
);

/** The expected result: an active account with waiting jobs gets in line at its last turn. */
function after({ freed, ...state }: State & { freed: number }): State {
  const getsInLine = freed > 0 && state.waiting > 0 && state.status === "active" && state.turn === null;
  return { ...state, running: state.running - freed, turn: getsInLine ? state.served_at : state.turn };
}

test("each account gets its freed slots back, and accounts with waiting jobs their place in line", async () => {
  const { db } = context.app.mongo;
  await fc.assert(
    fc.asyncProperty(states, async (given) => {
      const all = accounts(db);
      await all.deleteMany({});
      const docs = given.map(({ freed: _, ...state }, n) => ({ _id: `acc_${n}`, ...state }) as AccountDoc);
      if (docs.length > 0) await all.insertMany(docs);
      const freed = new Map(
        given.flatMap((one, n) => (one.freed > 0 ? [[`acc_${n}`, one.freed] as const] : [])),
      );
      const inLine = await inTx(context.app, (tx) => saveFreedSlots(db, freed, tx));
      const expected = given.map((one, n) => ({ _id: `acc_${n}`, ...after(one) }));
      expect(await all.find().sort({ _id: 1 }).toArray()).toEqual(expected);
      expect(inLine).toBe(expected.filter(({ turn }, n) => turn !== given[n]?.turn).length);
    }),
    { numRuns: 150 },
  );
});
