import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inTx, type TxContext } from "../../../../core/base/mongo/in-tx.ts";
import { createAccount } from "../../../../core/identity/accounts/create-account.ts";
import { getAccount } from "../../../../core/identity/accounts/get-account.ts";
import { loadAccounts, saveAccounts, saveSweptAccounts } from "../../../../core/identity/accounts/load.ts";
import { listPlans, seedPlans } from "../../../../core/identity/accounts/plans.ts";
import { setPlan } from "../../../../core/identity/accounts/set-terms.ts";
import { saveEmail } from "../../../../core/identity/accounts/store-emails.ts";
import {
  saveAccountClosed,
  saveAccountTerms,
  saveMembership,
  saveWelcomed,
} from "../../../../core/identity/accounts/store-in-tx.ts";
import { countKeyMade } from "../../../../core/identity/accounts/store-keys.ts";
import { saveFreedSlots } from "../../../../core/identity/accounts/store-numbers.ts";
import {
  accounts,
  emails,
  plans,
  type AccountDoc,
  findAccounts,
} from "../../../../core/identity/accounts/store.ts";
import { setAccountStatus } from "../../../../core/identity/sessions/set-account-status.ts";
import { GENESIS_HASH } from "../../../../proto/resources/ledger-chain.js";
import { useTestApp, createCustomer } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { refusalOf } from "../../../support/refusal.ts";
import { watchCommands } from "../../../support/watch-commands.ts";

const clock = createFakeClock();
const context = useTestApp({ clock });

let nextEmail = 0;
const email = () => `person-${nextEmail++}@example.com`;

describe("creating an account", () => {
  test("returns an active account without keys, jobs or entries", async () => {
    const { app } = context;
    const account = await createAccount(app, {
      email: "  Ada.Lovelace@Example.COM ",
      name: " Ada ",
      plan: "pro",
    });
    expect(account).toEqual({
      _id: expect.stringMatching(/^acc_[0-9A-Z]{26}$/),
      email: "ada.lovelace@example.com",
      name: "Ada",
      plan: "pro",
      status: "active",
      balance: 0,
      held: 0,
      ledger_seq: 0,
      ledger_version: 2,
      ledger_hash: GENESIS_HASH,
      waiting: 0,
      running: 0,
      served_at: 0,
      turn: null,
      keys_made: 0,
      created_at: clock.now(),
    });
    expect(await getAccount(app, account._id)).toEqual(account);
    expect(await getAccount(app, "ADA.lovelace@example.com")).toEqual(account);
  });

  test("reports all wrong fields together", async () => {
    const refusal = await refusalOf(
      createAccount(context.app, { email: "nobody", name: "a\u001b[2J", plan: "gold" }),
    );
    expect(refusal).toMatchObject({
      code: "invalid_request",
      issues: [
        { path: "email", message: "must be an email address" },
        { path: "name", message: "must not contain control characters" },
        { path: "plan", message: "must be one of free, starter, pro, studio" },
      ],
    });
  });

  test.each([
    ["\u200b\u2060", "must have a visible character"],
    ["\u2800 \u3164", "must have a visible character"],
    ["Ada\u202egpj", "must not contain control characters"],
    ["\u2067Ada", "must not contain control characters"],
  ])("refuses %j as a name", async (name, message) => {
    const asked = { email: "ada.unseen@example.com", name, plan: "free" };
    expect(await refusalOf(createAccount(context.app, asked))).toMatchObject({
      issues: [{ path: "name", message }],
    });
  });

  test("accepts joiners within a name, which emoji and Persian words need", async () => {
    const name = "👩\u200d💻 می\u200cخواهم";
    const asked = { email: "ada.joined@example.com", name, plan: "free" };
    expect(await createAccount(context.app, asked)).toMatchObject({ name });
  });

  test("gives an e-mail address to one of many parallel requests", async () => {
    const { app } = context;
    const before = await accounts(app.mongo.db).countDocuments();
    const spellings = ["Same@example.com", "same@EXAMPLE.com", " same@example.com"];
    const attempts = Array.from({ length: 12 }, (_, i) =>
      createAccount(app, { email: spellings[i % spellings.length] ?? "", name: "Same", plan: "free" }),
    );
    const results = await Promise.allSettled(attempts);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of results) {
      if (result.status === "rejected") {
        expect(result.reason).toMatchObject({
          code: "invalid_request",
          issues: [{ path: "email", message: "belongs to another account already" }],
        });
      }
    }
    expect(await accounts(app.mongo.db).countDocuments()).toBe(before + 1);
    expect(await emails(app.mongo.db).countDocuments({ _id: "same@example.com" })).toBe(1);
  });
});

test.each(["acc_00000000000000000000000000", "", "nobody@example.com", "@"])(
  "no account is found for %j",
  async (unknown) => {
    expect(await refusalOf(getAccount(context.app, unknown))).toMatchObject({ code: "not_found" });
  },
);

describe("the plan of an account", () => {
  test("recounts the free slots", async () => {
    const { app } = context;
    const { _id } = await createAccount(app, { email: email(), name: "Queue", plan: "pro" });
    let woken = 0;
    app.signals.on("claimable", () => woken++);
    expect(await setPlan(app, _id, "free")).toMatchObject({ plan: "free", turn: null });
    expect(woken).toBe(0);
    await accounts(app.mongo.db).updateOne({ _id }, { $set: { waiting: 3 } });
    expect(await setPlan(app, _id, "studio")).toMatchObject({ plan: "studio", turn: 0, waiting: 3 });
    expect(woken).toBe(1);
  });

  test("of an unknown account gives not_found", async () => {
    expect(await refusalOf(setPlan(context.app, "acc_unknown", "pro"))).toMatchObject({ code: "not_found" });
  });
});

describe("suspending an account", () => {
  test("keeps waiting jobs from being claimed until the account is restored", async () => {
    const { app } = context;
    const { _id } = await createAccount(app, { email: email(), name: "Paused", plan: "pro" });
    await accounts(app.mongo.db).updateOne({ _id }, { $set: { waiting: 1, turn: 0 } });
    expect(await setAccountStatus(app, _id, "suspended")).toMatchObject({
      status: "suspended",
      turn: null,
    });
    expect(await setPlan(app, _id, "studio")).toMatchObject({ status: "suspended", turn: null });
    expect(await setAccountStatus(app, _id, "active")).toMatchObject({ status: "active", turn: 0 });
  });

  test("accepts no other status", async () => {
    const { _id } = await createAccount(context.app, { email: email(), name: "Other", plan: "pro" });
    expect(await refusalOf(setAccountStatus(context.app, _id, "deleted"))).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "status", message: "must be active or suspended" }],
    });
  });
});

test("the seeded plans are restored where missing, and keep an operator's changes", async () => {
  const { app } = context;
  await plans(app.mongo.db).deleteOne({ _id: "starter" });
  await plans(app.mongo.db).updateOne({ _id: "studio" }, { $set: { concurrency: 40 } });
  await Promise.all([seedPlans(app), seedPlans(app), seedPlans(app)]);
  const listed = await listPlans(app);
  expect(listed.map(({ _id, concurrency }) => `${_id} ${concurrency}`)).toEqual([
    "free 1",
    "starter 2",
    "pro 5",
    "studio 40",
  ]);
  await plans(app.mongo.db).updateOne({ _id: "studio" }, { $set: { concurrency: 20 } });
});

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

// Accounts in a transaction are read once, and include the transaction's own changes.
const world = useTestApp();
const { app } = world;

async function newAccount(): Promise<string> {
  const { accountId } = await createCustomer(app, { plan: "studio" });
  await accounts(app.mongo.db).updateOne({ _id: accountId }, { $set: { running: 2, welcome: "held" } });
  return accountId;
}

async function load(tx: TxContext, accountId: string): Promise<AccountDoc> {
  const account = (await loadAccounts(app, [accountId], tx)).get(accountId)?.account;
  if (!account) throw new Error("no account");
  return account;
}

/** Every write of an account. */
const WRITES: Readonly<Record<string, (tx: TxContext, account: AccountDoc) => Promise<unknown>>> = {
  "plan, status and turn": (tx, { _id }) =>
    saveAccountTerms(app.mongo.db, _id, { plan: "pro", status: "suspended", turn: null }, tx),
  membership: (tx, { _id }) =>
    saveMembership(app.mongo.db, _id, { tier: "plus", started_at: tx.now, period_end: tx.now }, tx),
  "e-mail address": (tx, { _id }) =>
    saveEmail(app.mongo.db, { accountId: _id, email: `new-${_id}@example.com` }, tx),
  "welcome credits": (tx, { _id }) => saveWelcomed(app.mongo.db, _id, tx),
  "number of keys": (tx, { _id }) => countKeyMade(app.mongo.db, _id, tx),
  numbers: (tx, account) => saveAccounts(app, [{ ...account, waiting: 7, balance: 5 }], tx),
  "swept credits": (tx, account) => saveSweptAccounts(app, [{ ...account, balance: 6 }], tx),
  "freed slots": (tx, { _id }) => saveFreedSlots(app.mongo.db, new Map([[_id, 1]]), tx),
  closing: (tx, { _id }) => saveAccountClosed(app.mongo.db, _id, tx),
};

describe("an account in a transaction", () => {
  test.each(Object.keys(WRITES))("has the database's values after a write of its %s", async (what) => {
    const accountId = await newAccount();
    await inTx(app, async (tx) => {
      const before = await load(tx, accountId);
      await WRITES[what]?.(tx, before);
      const after = await load(tx, accountId);
      expect(after).toEqual((await findAccounts(app.mongo.db, [accountId], tx)).get(accountId));
      expect(after).not.toEqual(before);
    });
  });

  test("is read once per transaction", async () => {
    const accountId = await newAccount();
    let reads = 0;
    const watched = await watchCommands(world, ({ commandName, command }) => {
      if (commandName === "find" && command["find"] === "accounts") reads += 1;
    });
    await inTx(watched.app, async (tx) => {
      for (let n = 0; n < 3; n++) await loadAccounts(watched.app, [accountId], tx);
    });
    await watched.close();
    expect(reads).toBe(1);
  });

  test("is read again by the next try", async () => {
    const accountId = await newAccount();
    const seen: number[] = [];
    await inTx(app, async (tx) => {
      const account = await load(tx, accountId);
      seen.push(account.waiting);
      // Another transaction is faster, once.
      if (seen.length === 1)
        await accounts(app.mongo.db).updateOne({ _id: accountId }, { $set: { waiting: 3 } });
      await saveAccounts(app, [{ ...account, balance: 1 }], tx);
    });
    expect(seen).toEqual([0, 3]);
  });

  test("is not written from an outdated version", async () => {
    const accountId = await newAccount();
    const stale = inTx(app, async (tx) => {
      const account = await load(tx, accountId);
      await saveAccounts(app, [{ ...account, balance: 1, ledger_seq: account.ledger_seq + 1 }], tx);
      await saveAccounts(app, [{ ...account, balance: 2 }], tx);
    });
    await expect(stale).rejects.toThrow("was changed in this transaction since");
    expect((await findAccounts(app.mongo.db, [accountId])).get(accountId)?.balance).toBeGreaterThan(2);
  });
});
