// The check of transactions must find planted faults.
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { inTree } from "../../scripts/boundaries.ts";
import { findBlindSpots, findFaults } from "../../scripts/transactions.ts";

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
