// The boundary check must find planted faults.
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { findBluntRules, findViolations, inTree, type Rule, RULES } from "../../scripts/boundaries.ts";
import { findBlindSpots, findFaults } from "../../scripts/transactions.ts";

describe("the boundary check", () => {
  test("reports the fault planted for each of its rules", async () => {
    expect(await findBluntRules()).toEqual([]);
  });

  // All faults are in one tree: none may hide another.
  test.each([0, 1])(
    "has exactly the rules whose planted fault it finds, checked half by half: %i",
    async (half) => {
      const isBlunt = (_: Rule, i: number) => i % 2 === half;
      const rules = RULES.map((rule, i) =>
        isBlunt(rule, i) ? { ...rule, from: { path: "^nowhere/" } } : rule,
      );
      expect(await findBluntRules(rules)).toEqual(RULES.filter(isBlunt).map(({ name }) => name));
    },
  );

  test("names the rule and both files of a forbidden import", async () => {
    const { violations } = await inTree(
      { "gateway/leak.ts": 'import "../core/kernel/app.ts";', "core/kernel/app.ts": "export {};" },
      findViolations,
    );
    expect(violations).toEqual([
      { rule: "gateway-imports-only-what-it-may", from: "gateway/leak.ts", to: "core/kernel/app.ts" },
    ]);
  });

  test("passes a tree with allowed imports", async () => {
    const { modules, violations } = await inTree(
      {
        "gateway/app.ts": 'import "../proto/client.ts"; import "../runtime/log/log.ts";',
        "proto/client.ts": 'import { Client } from "@grpc/grpc-js"; console.log(Client);',
        "runtime/log/log.ts": "export {};",
        "core/studio/runs/finalize.ts":
          'import { post } from "../../identity/credits/grant.ts"; console.log(post);',
        "core/identity/credits/grant.ts": 'import { insert } from "./store.ts"; export const post = insert;',
        "core/identity/credits/store.ts":
          'import { MongoClient } from "mongodb"; export const insert = MongoClient;',
      },
      findViolations,
    );
    expect(violations).toEqual([]);
    expect(modules).toBeGreaterThanOrEqual(6);
  });
});

// The check of transactions must find planted faults.
test("no code in core takes the time or an id inside a transaction", async () => {
  const { files, faults } = await findFaults(fileURLToPath(new URL("../..", import.meta.url)));
  expect(faults).toEqual([]);
  expect(files).toBeGreaterThan(50);
});

test("the check of transactions reports each planted fault", async () => {
  expect(await findBlindSpots()).toEqual([]);
});

test("the check of transactions names file, line and call, and reports a planted tree without a fault as a blind spot", async () => {
  const file = [
    "// A line with é before it.",
    "import { save } from './store.ts';",
    "",
    "export const a = (app) =>",
    "  inTx(app, async (tx) => {",
    "    await save(app.clock.now(), tx);",
    "  });",
  ].join("\n");
  const { faults } = await inTree({ "core/a.ts": file }, findFaults);
  expect(faults).toEqual([{ file: "core/a.ts", line: 6, what: "clock.now()" }]);
  expect(await findBlindSpots({ "is well": { "core/a.ts": "export const a = 1;" } })).toEqual(["is well"]);
});

test("the check of transactions accepts values from before a transaction, and user sessions", async () => {
  const { faults } = await inTree(
    {
      "core/a.ts": `
        export async function a(app) {
          const at = app.clock.now();
          const work = async (tx: TxContext) => save(at, tx);
          await inTx(app, work);
          return new Date(at);
        }
        export const isFresh = (app, session: SessionDoc) => session.ends_at > app.clock.now();
        type Options = { work: (tx: TxContext) => void };
        export const b = (options: Options) => run(options, Date.now());`,
    },
    findFaults,
  );
  expect(faults).toEqual([]);
});
