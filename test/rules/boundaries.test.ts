// The boundary check must find planted faults.
import { describe, expect, test } from "vitest";
import { findBluntRules, findViolations, inTree, type Rule, RULES } from "../../scripts/boundaries.ts";

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
      { rule: "edges-never-see-core", from: "gateway/leak.ts", to: "core/kernel/app.ts" },
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
