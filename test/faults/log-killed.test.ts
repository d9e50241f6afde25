// A worker of the public log that is killed with -9 before each of its commands to the database in turn: the log has one history, and its
// witness cosigns it.
// test/core/identity/log/write-log.test.ts is the short form. 200 kills: npm test -- test/faults/log-killed.test.ts --mode thorough
import { expect, inject, test } from "vitest";
import { askWitnesses } from "../../core/identity/log/ask-witnesses.ts";
import { readCheckpoint } from "../../core/identity/log/read-log.ts";
import { logEntryOf } from "../../core/identity/log/rules.ts";
import { witnessDocs } from "../../core/identity/log/store-witnesses.ts";
import { findLog, logs, streamLog } from "../../core/identity/log/store.ts";
import { writeLog } from "../../core/identity/log/write-log.ts";
import { createCustomer, createTestApp } from "../support/app.ts";
import { auditFindings } from "../support/audit.ts";
import { giveCredits } from "../support/credits.ts";
import { naiveGrowth, naiveRoot, openCheckpoint } from "../support/naive-log.ts";
import { startWitness } from "../support/witness.ts";
import { forkWorker } from "./suite/fork-worker.ts";

/** Has no divisor in common with the number of commands, whatever that is, once it is a little larger. */
const STRIDE = 7;
const OWNERS = 5;
const KILLS = 200;

test.runIf(inject("isThorough"))(
  "killed workers of the log leave one history",
  { timeout: 3_600_000 },
  async () => {
    const witness = await startWitness("witness.example", () => new Date());
    const env = { ATELIER_LOG_WITNESSES: witness.setting };
    const testApp = await createTestApp({ env });
    const { app, close } = testApp;
    const { db } = app.mongo;
    const owners: string[] = [];
    for (let n = 0; n < OWNERS; n++) owners.push((await createCustomer(app)).accountId);
    const start = () => forkWorker("log-process.ts", testApp, { env });
    /** As if the leases of those that were killed had ended. */
    const endLeases = async () => {
      const ended = { $set: { "work.due_at": new Date(1) } };
      await Promise.all([logs(db).updateMany({}, ended), witnessDocs(db).updateMany({}, ended)]);
    };
    /** What checkpoints said, by size. */
    const roots = new Map<number, string>();
    const see = (note: string) => {
      const { size, root } = openCheckpoint(note, app.signingKeys.receipts);
      expect(roots.get(size) ?? root).toBe(root);
      roots.set(size, root);
    };

    let [killed, commands] = [0, STRIDE];
    let next = start();
    while (killed < KILLS) {
      const worker = next;
      // It starts up while the other one works.
      next = start();
      const accountId = owners[killed % OWNERS] ?? "";
      await giveCredits(app, accountId, 1);
      await endLeases();
      await worker.up;
      worker.send({ commands });
      const code = await worker.ended;
      const signal = worker.endedBy();
      expect([0, "SIGKILL"], worker.output()).toContain(code ?? signal);
      if (signal) killed += 1;
      commands = signal ? commands + STRIDE : (commands + 1) % STRIDE;
      const note = (await findLog(db))?.checkpoint?.note;
      if (note) see(note);
    }
    await next.signal("SIGKILL");

    await endLeases();
    await writeLog(app);
    await askWitnesses(app);
    expect(await readCheckpoint(app)).toContain("\n— witness.example ");
    for (const { note } of witness.asked) see(note);
    const log = await findLog(db);
    if (!log) throw new Error("there is no log");
    const entries: Buffer[] = [];
    for await (const { account_id, seq, hash, salt } of streamLog(db, log._id, log.size))
      entries.push(logEntryOf({ accountId: account_id, seq, hash }, salt.value()));
    for (const [size, root] of roots) expect(naiveRoot(entries.slice(0, size)).toString("base64")).toBe(root);
    expect(roots.has(log.size)).toBe(true);
    for (const { old, proof, note } of witness.asked) {
      const size = Number(note.split("\n")[1]);
      const grown = old === 0 ? [] : naiveGrowth(old, entries.slice(0, size));
      expect(proof).toEqual(grown.map((hash) => hash.toString("base64")));
    }
    witness.close();
    expect(await auditFindings(app)).toEqual([]);
    await close();
  },
);
