// Two witnesses of public code cosign the log, and refuse lies of an operator who has the key: a fork, a rewritten entry, a log that was cut off.
// A client of public code reads each entry of the log.
// Go builds them, which takes minutes: npm test -- test/core/identity/log/public-witnesses.test.ts --mode thorough
import { Binary } from "mongodb";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Cell } from "../../../../runtime/ops/panels.ts";
import { operatorPanels } from "../../../../core/entry/operator-panels.ts";
import { askWitnesses } from "../../../../core/identity/log/ask-witnesses.ts";
import { readCheckpoint } from "../../../../core/identity/log/read-log.ts";
import { type LoggedHeadDoc, logs } from "../../../../core/identity/log/store.ts";
import { witnessDocs } from "../../../../core/identity/log/store-witnesses.ts";
import { appendHeads, signCheckpoint, takeLog } from "../../../../core/identity/log/write-log.ts";
import type { App } from "../../../../core/kernel/app.ts";
import { logWitnesses } from "../../../../runtime/config/log-witnesses.ts";
import { forgeLog, loggedOf } from "../../../support/forge-log.ts";
import { buildTorchwood, startLitewitness } from "../../../support/litewitness.ts";
import { BUILD_BOUND_MS, runVerifier } from "../../../support/verify-go.ts";
import { startWholeService, type WholeService } from "../../../support/whole-service.ts";
import { useFolder } from "../../../support/shared.ts";

const NAMES = ["one.example", "two.example"];
let service: WholeService;
let app: App;
const folder = useFolder();
let witnesses: Awaited<ReturnType<typeof startLitewitness>>[] = [];
let missing: Error | undefined;
let readLog = "";

describe.runIf(inject("isThorough"))("public code", () => {
  beforeAll(async () => {
    const built = await buildTorchwood(folder());
    if (built instanceof Error) return void (missing = built);
    ({ readLog } = built);
    witnesses = await Promise.all(NAMES.map((name) => startLitewitness(built.litewitness, folder(), name)));
    // No worker: the test adds to the log, and asks.
    service = await startWholeService({ worker: false });
    const settings = witnesses.map(({ setting }) => setting).join("\n");
    app = { ...service.app, config: { ...service.app.config, logWitnesses: logWitnesses.parse(settings) } };
  }, BUILD_BOUND_MS);
  afterAll(async () => {
    for (const witness of witnesses) witness.close();
    await service?.close();
  });

  const soon = { $set: { "work.due_at": new Date(1) } };
  let added = 0;
  /** Adds this many heads to the log, and signs it. */
  const grow = async (count: number) => {
    await logs(app.mongo.db).updateMany({}, soon);
    const log = await takeLog(app);
    const hash = "cd".repeat(32);
    const heads = Array.from({ length: count }, () => ({ accountId: `acc_${(added += 1)}`, seq: 1, hash }));
    const appended = log && (await appendHeads(app, log, heads));
    expect(appended && (await signCheckpoint(app, appended))).toBe(true);
  };
  const ask = async () => {
    await witnessDocs(app.mongo.db).updateMany({}, soon);
    await askWitnesses(app, undefined, { answerMs: 60_000 });
  };
  const rowsOf = async (title: string) => {
    const { rows } =
      (await operatorPanels(app)
        .find((panel) => panel.title === title)
        ?.read()) ?? {};
    const textOf = (cell: Cell) =>
      typeof cell === "string" ? cell : "text" in cell ? cell.text : cell.at.toISOString();
    return rows?.map((row) => row.map(textOf)) ?? [];
  };
  const cosigned = async () => {
    const note = await readCheckpoint(app);
    return NAMES.filter((name) => note.includes(`\n— ${name} `));
  };

  test(
    "cosigns an honest log, and refuses a fork, a rewritten entry and a log that was cut off",
    async ({ skip }) => {
      if (missing) return skip(missing.message.slice(0, 300));
      const { db } = app.mongo;
      await grow(1);
      await ask();
      for (const row of await rowsOf("Witnesses of the public log"))
        expect(row.at(-1)).toContain("it does not know this log or its key (HTTP 403)");
      const [[origin = "", , , verifierKey = ""] = []] = await rowsOf("Public log");
      for (const witness of witnesses) witness.addLog(origin, verifierKey);
      for (const count of [0, 1, 5, 300, 520, 197]) {
        if (count > 0) await grow(count);
        await ask();
        expect(await cosigned(), `${count} more`).toEqual(NAMES);
      }

      const heads = (await loggedOf(app)).flatMap((one) => ("built" in one ? [] : [one]));
      const size = heads.length;
      const LIES: readonly (readonly [lie: string, heads: readonly LoggedHeadDoc[], words: string])[] = [
        [
          "a fork",
          [...heads.slice(0, -2), ...heads.slice(-2).toReversed()],
          `${size} entries grew to ${size}`,
        ],
        [
          "a rewritten entry",
          [
            ...heads.map((head, at) => (at === 3 ? { ...head, hash: "ef".repeat(32) } : head)),
            ...another(heads),
          ],
          `the proof that ${size} entries grew to ${size + 1} (HTTP 422): it saw another history`,
        ],
        ["a log that was cut off", heads.slice(0, 300), `it has seen ${size} entries, and the log has 300`],
        [
          "a log that was cut off and grew in another way",
          [...heads.slice(0, 300), ...heads.slice(301), ...another(heads), ...another(heads.slice(1))],
          `the proof that ${size} entries grew to ${size + 1} (HTTP 422): it saw another history`,
        ],
      ];
      const names = ["logs", "log_heads", "log_tiles"];
      const whole = await Promise.all(names.map((name) => db.collection(name).find().toArray()));
      for (const [lie, forged, words] of LIES) {
        await forgeLog(app, forged);
        await ask();
        expect(await cosigned(), lie).toEqual([]);
        for (const row of await rowsOf("Witnesses of the public log"))
          expect(row.at(-1), lie).toContain(words);
        for (const [at, name] of names.entries()) {
          await db.collection(name).deleteMany({});
          await db.collection(name).insertMany(whole[at] ?? []);
        }
      }
      await grow(2);
      await ask();
      expect(await cosigned()).toEqual(NAMES);
      for (const row of await rowsOf("Witnesses of the public log")) expect(row.at(-1)).toBe("cosigns");
    },
    BUILD_BOUND_MS,
  );

  test("reads each entry of the log, and notices one that was changed", async ({ skip }) => {
    if (missing) return skip(missing.message.slice(0, 300));
    await grow(300);
    await ask();
    const size = (await loggedOf(app)).length;
    const [[, , , verifierKey = ""] = []] = await rowsOf("Public log");
    const read = async () => runVerifier(readLog, [`${service.url}/log`, verifierKey]);
    expect(await read()).toEqual({
      code: 0,
      said: expect.stringContaining(`${size} entries of ${size}, 2 cosignatures`),
    });
    const tiles = app.mongo.db.collection<{ _id: string; hashes: Binary }>("log_tiles");
    const tile = await tiles.findOne({ _id: /\/0\/1$/ });
    const bytes = Buffer.from(tile?.hashes.value() ?? "");
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    await tiles.updateOne({ _id: tile?._id ?? "" }, { $set: { hashes: new Binary(bytes) } });
    expect(await read()).toMatchObject({ code: 1 });
  });
});

function another([head]: readonly LoggedHeadDoc[]): LoggedHeadDoc[] {
  return head ? [{ ...head, _id: `${head._id}-forged`, account_id: "acc_forged" }] : [];
}
