// Batches never mix shards: work is divided by where accounts lie, and by nothing where they lie in one place.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Mongo } from "../../../../core/base/mongo/client.ts";
import { createContention } from "../../../../core/base/mongo/contention.ts";
import { createGroupCommit, fulfilled, type GroupCommit } from "../../../../core/base/mongo/group-commit.ts";
import { createLanes, onEachShard } from "../../../../core/base/mongo/lanes.ts";
import { createShards, type ShardMap } from "../../../../core/base/mongo/shards.ts";

type Asked = { readonly n: number; readonly account: string };
type Own = { readonly mongo: Mongo };

const appOn = (map?: ShardMap): Own => ({
  mongo: { contention: createContention(), shards: map && createShards(map) } as Mongo,
});

/** Queues that keep the batches they commit, each beside the contention that it ran under. */
function keeping(app: Own) {
  const batches: (readonly Asked[])[] = [];
  const contentions = new Set<unknown>();
  const open = (own: Own): GroupCommit<Asked, number> => {
    contentions.add(own.mongo.contention);
    return createGroupCommit<Asked, number>({
      maxBatch: 5,
      isHopeless: () => false,
      contention: own.mongo.contention,
      commit: async (asked) => {
        batches.push(asked);
        await new Promise(setImmediate);
        return asked.map(({ n }) => fulfilled(n * 2));
      },
    });
  };
  return { batches, contentions, open, app };
}

const requests = fc.array(
  fc.nat(9).map((account) => `acc_${account}`),
  { maxLength: 60 },
);
const layout = fc.array(fc.constantFrom("one", "two", "three"), { minLength: 10, maxLength: 10 });
const mapOf = (shards: readonly string[]): ShardMap => ({
  shardOf: (account) => shards[Number(account.slice(4))] ?? "",
});

describe("lanes", () => {
  test("no batch holds accounts of two shards, everybody is answered, and an account's requests keep their order", async () => {
    await fc.assert(
      fc.asyncProperty(requests, layout, async (accounts, shards) => {
        const map = mapOf(shards);
        const { batches, open, app, contentions } = keeping(appOn(map));
        const call = createLanes(app, open, ({ account }) => account);
        const asked = accounts.map((account, n) => ({ n, account }));
        expect(await Promise.all(asked.map((one) => call(one)))).toEqual(asked.map(({ n }) => n * 2));
        for (const batch of batches)
          expect(new Set(batch.map(({ account }) => map.shardOf(account))).size).toBe(1);
        expect(batches.flat().length).toBe(asked.length);
        for (const account of new Set(accounts)) {
          const own = batches.flat().filter((one) => one.account === account);
          expect(own).toEqual(own.toSorted((a, b) => a.n - b.n));
        }
        // Each shard's transactions make way for each other alone.
        expect(contentions.size).toBe(new Set(accounts.map(map.shardOf)).size);
      }),
      { numRuns: 50 },
    );
  });

  test("with accounts that move meanwhile everybody is still answered, once", async () => {
    await fc.assert(
      fc.asyncProperty(
        requests,
        fc.infiniteStream(fc.constantFrom("one", "two")),
        async (accounts, moves) => {
          const { batches, open, app } = keeping(appOn({ shardOf: () => String(moves.next().value) }));
          const call = createLanes(app, open, async ({ account }) => account);
          const asked = accounts.map((account, n) => ({ n, account }));
          expect(await Promise.all(asked.map((one) => call(one)))).toEqual(asked.map(({ n }) => n * 2));
          expect(batches.flat().toSorted((a, b) => a.n - b.n)).toEqual(asked);
        },
      ),
      { numRuns: 25 },
    );
  });

  test("where all accounts lie in one place there is the one queue, itself", () => {
    const { open, app } = keeping(appOn());
    const made: GroupCommit<Asked, number>[] = [];
    const call = createLanes(
      app,
      (own) => {
        expect(own).toBe(app);
        made.push(open(own));
        return made[0] as GroupCommit<Asked, number>;
      },
      () => expect.unreachable("nobody asks where an account lies"),
    );
    expect(made).toEqual([call]);
  });

  test("a request of nobody's waits for no shard, and the oldest of all lanes is told", async () => {
    const gate = Promise.withResolvers<void>();
    const call = createLanes(
      appOn(mapOf(["one", "two"])),
      () =>
        createGroupCommit<Asked, number>({
          maxBatch: 5,
          isHopeless: () => false,
          commit: async (asked) => {
            if (asked[0]?.account === "acc_0") await gate.promise;
            return asked.map(({ n }) => fulfilled(n));
          },
        }),
      ({ account }) => (account === "" ? undefined : account),
    );
    expect(call.oldestWaitingMs()).toBe(0);
    const held = call({ n: 0, account: "acc_0" });
    expect(await Promise.all([call({ n: 1, account: "acc_1" }), call({ n: 2, account: "" })])).toEqual([
      1, 2,
    ]);
    expect(call.oldestWaitingMs()).toBeGreaterThan(0);
    gate.resolve();
    expect(await held).toBe(0);
    expect(call.oldestWaitingMs()).toBe(0);
  });
});

describe("work on each shard", () => {
  const accounts = ["acc_0", "acc_1", "acc_2", "acc_3"];
  const onMap = appOn(mapOf(["one", "two", "one", "two"]));
  const itself = (account: string) => account;

  test("is done for the items of each by themselves, and for all at once in one place", async () => {
    const groups: (readonly string[])[] = [];
    const work = async (_app: Own, items: readonly string[]) => {
      groups.push(items);
      return items;
    };
    expect(await onEachShard(onMap, accounts, itself, work)).toEqual(["acc_0", "acc_2", "acc_1", "acc_3"]);
    expect(await onEachShard(appOn(), accounts, itself, work)).toEqual(accounts);
    expect(groups).toEqual([["acc_0", "acc_2"], ["acc_1", "acc_3"], accounts]);
  });

  test("that fails on one loses nothing of what the others did, and is heard where nothing was done", async () => {
    const failingFor = (broken: readonly string[]) => async (_app: Own, items: readonly string[]) => {
      if (items.some((item) => broken.includes(item))) throw new Error("away");
      return items;
    };
    expect(await onEachShard(onMap, accounts, itself, failingFor(["acc_0"]))).toEqual(["acc_1", "acc_3"]);
    await expect(onEachShard(onMap, accounts, itself, failingFor(["acc_0", "acc_1"]))).rejects.toThrow(
      "away",
    );
  });
});
