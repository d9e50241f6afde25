// Lies that an operator could plant in the database, and who catches each: the audit, the check in the owner's browser, and the verifiers in
// Python and Go with a checkpoint that the owner kept and a witness cosigned.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Document } from "mongodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toLedgerEntry } from "../../core/identity/credits/rules.ts";
import { ledger } from "../../core/identity/credits/store.ts";
import { buildSolvency } from "../../core/identity/log/build-solvency.ts";
import { statements } from "../../core/identity/log/store-solvency.ts";
import { headId, logs } from "../../core/identity/log/store.ts";
import { writeLog } from "../../core/identity/log/write-log.ts";
import { hashLedgerEntry, type LedgerEntryResource } from "../../proto/resources/credits.ts";
import { createLedgerCheck } from "../../proto/resources/ledger-check.js";
import { checkLogProof, isContradicted } from "../../proto/resources/log-check.js";
import type { LogProofResource, SolvencyProofResource } from "../../proto/resources/log-proof.ts";
import { createCustomer } from "../support/app.ts";
import { forgeLog, loggedOf } from "../support/forge-log.ts";
import { useFolder } from "../support/shared.ts";
import { BUILD_BOUND_MS, buildVerifier, runVerifier, whyNoVerifier } from "../support/verify-go.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";
import { startWitness } from "../support/witness.ts";

const CLIENT = fileURLToPath(new URL("../../clients/python/src", import.meta.url));
const FAR = new Date("9999-01-01T00:00:00.000Z");
const DAY_MS = 86_400_000;
const noGo = whyNoVerifier();

/** A worker is busy in this process too. */
const COSIGNED_MS = 120_000;
let witness: Awaited<ReturnType<typeof startWitness>>;
let service: WholeService;
const folder = useFolder();
let hasPython = false;
let goProgram = "";
beforeAll(async () => {
  witness = await startWitness("witness.example", () => new Date());
  service = await startWholeService({ env: { ATELIER_LOG_WITNESSES: witness.setting } });
  hasPython = (await runPython(["--help"])).code === 0;
  if (!noGo) goProgram = await buildVerifier(folder());
}, BUILD_BOUND_MS);
afterAll(async () => {
  await service.close();
  witness.close();
});

const runPython = async (args: readonly string[]) =>
  runVerifier("python3", ["-m", "atelier_client.verify", ...args], {
    PATH: process.env["PATH"],
    PYTHONPATH: CLIENT,
    PYTHONDONTWRITEBYTECODE: "1",
  });

const docs = (name: string) => service.app.mongo.db.collection<Document & { _id: string }>(name);
const read = <T>(path: string, key: string) => service.read<T>(path, key);

/** Adds all heads to the log, then keeps the workers of the service from it. Returns its checkpoint. */
async function logAll(key: string): Promise<string> {
  const { db } = service.app.mongo;
  await waitFor("the log to have the newest entry", async () => {
    await logs(db).updateMany({ "work.owner": null }, { $set: { "work.due_at": new Date(1) } });
    await writeLog(service.app);
    type Balance = { ledger_seq: number; logged_seq: number | null };
    const { ledger_seq, logged_seq } = await read<Balance>("/api/credits/balance", key);
    return ledger_seq === logged_seq;
  });
  await waitFor("the log to be free", async () => {
    const held = await logs(db).updateMany({ "work.owner": null }, { $set: { "work.due_at": FAR } });
    return held.matchedCount === 1;
  });
  return waitFor(
    "the witness to cosign",
    async () => {
      const note = await (await fetch(`${service.url}/log/checkpoint`)).text();
      return note.includes("\n— witness.example ") && note;
    },
    COSIGNED_MS,
  );
}

/** States the total of all balances as of some days later, and waits for as many totals in the log. */
async function stateTotal(days: number, count: number, change?: object): Promise<void> {
  const { app } = service;
  const now = () => new Date(Date.now() + days * DAY_MS);
  const unlogged = { index: { $exists: false } };
  await buildSolvency({ ...app, clock: { now } });
  if (change) await statements(app.mongo.db).updateOne({ ...unlogged, built: { $exists: true } }, change);
  await waitFor("the log to have the total", async () => {
    await logs(app.mongo.db).updateMany({ "work.owner": null }, { $set: { "work.due_at": new Date(1) } });
    await writeLog(app);
    return (await statements(app.mongo.db).countDocuments({ index: { $exists: true } })) === count;
  });
}

test(
  "the audit, the browser and the verifiers in Python and Go catch planted lies",
  { timeout: BUILD_BOUND_MS },
  async () => {
    const { db } = service.app.mongo;
    const ada = await createCustomer(service.app);
    const { job_id } = (await service.generate(ada.key)).body.result;
    const job = await service.waitForEnd(ada.key, job_id);
    const replayed = await logAll(ada.key);
    const bob = await createCustomer(service.app);
    await stateTotal(0, 1);
    const kept = folder("kept.txt");
    writeFileSync(kept, await logAll(bob.key));
    const carol = await createCustomer(service.app);
    const picture = folder("picture");
    const file = await fetch(job.outputs[0]?.url ?? "");
    writeFileSync(picture, Buffer.from(await file.arrayBuffer()));

    const own = { account_id: ada.accountId };
    const entryAt = (seq: number) => ({ ...own, seq });
    const move = async (seq: number, to: number) => ledger(db).updateOne(entryAt(seq), { $set: { seq: to } });
    /** The whole chain from the first entry on, with a memo of its own. */
    const rewriteChain = async () => {
      let prev_hash = "0".repeat(64);
      for (const entry of await ledger(db).find(own).sort({ seq: 1 }).toArray()) {
        const changed = { ...entry, memo: "rewritten", prev_hash };
        prev_hash = hashLedgerEntry(toLedgerEntry(changed));
        await ledger(db).updateOne({ _id: entry._id }, { $set: { ...changed, hash: prev_hash } });
      }
      await docs("accounts").updateOne({ _id: ada.accountId }, { $set: { ledger_hash: prev_hash } });
    };

    const EVERYONE = ["audit", "browser", "python", "go"];
    const VERIFIERS = ["python", "go"];
    const LIES: readonly (readonly [
      lie: string,
      plant: () => Promise<unknown>,
      caughtBy: readonly string[],
    ])[] = [
      ["no lie", async () => {}, []],
      ["an entry changed", () => ledger(db).updateOne(entryAt(2), { $set: { memo: "changed" } }), EVERYONE],
      ["an entry removed", () => ledger(db).deleteOne(entryAt(2)), EVERYONE],
      [
        "an entry inserted",
        async () => {
          const last = await ledger(db).findOne(own, { sort: { seq: -1 } });
          for (let seq = last?.seq ?? 0; seq > 1; seq--) await move(seq, seq + 1);
          if (last) await ledger(db).insertOne({ ...last, _id: "led_inserted", seq: 2 });
        },
        EVERYONE,
      ],
      [
        "two entries reordered",
        async () => {
          await move(1, 0);
          await move(2, 1);
          await move(0, 2);
        },
        EVERYONE,
      ],
      ["a chain rewritten whole", rewriteChain, EVERYONE],
      [
        "two histories for two owners",
        async () => {
          await rewriteChain();
          const hashes = new Map((await ledger(db).find(own).toArray()).map(({ seq, hash }) => [seq, hash]));
          const logged = await loggedOf(service.app);
          await forgeLog(
            service.app,
            logged.map((one) =>
              "account_id" in one && one.account_id === ada.accountId
                ? { ...one, hash: hashes.get(one.seq) ?? "" }
                : one,
            ),
          );
        },
        ["browser", ...VERIFIERS],
      ],
      [
        "a fork of the log",
        async () => {
          const logged = await loggedOf(service.app);
          const last = logged.at(-1);
          const { accountId } = carol;
          const entry = await ledger(db).findOne({ account_id: accountId });
          if (!entry || !last || "built" in last) throw new Error("there is nothing to add");
          const { seq, hash } = entry;
          const _id = headId(last.log, { accountId, seq });
          const added = { ...last, account_id: accountId, seq, hash, _id };
          await forgeLog(service.app, [...logged.slice(0, -1), added, last]);
        },
        VERIFIERS,
      ],
      [
        "a receipt altered",
        () => docs("jobs").updateOne({ _id: job_id }, { $inc: { credits: 1 } }),
        ["audit", ...VERIFIERS],
      ],
      [
        "a file altered",
        () => docs("jobs").updateOne({ _id: job_id }, { $set: { "outputs.0.sha256": "ab".repeat(32) } }),
        VERIFIERS,
      ],
      [
        "a checkpoint replayed",
        () => {
          const [, size = ""] = replayed.split("\n");
          const checkpoint = { size: Number(size), note: replayed, at: new Date() };
          return logs(db).updateMany({}, { $set: { checkpoint } });
        },
        ["browser", ...VERIFIERS],
      ],
      [
        "a hidden balance",
        async () => {
          const hidden = await docs("accounts").findOne({ _id: ada.accountId });
          await docs("accounts").deleteOne({ _id: ada.accountId });
          await stateTotal(2, 2);
          if (hidden) await docs("accounts").insertOne(hidden);
        },
        ["audit", ...VERIFIERS],
      ],
      ["a wrong total", () => stateTotal(2, 2, { $inc: { "built.total": -1 } }), ["audit", ...VERIFIERS]],
    ];

    /** The checkpoint that the browser keeps. */
    let seen: Awaited<ReturnType<typeof checkLogProof>> | null | undefined;
    /** Reads what an owner reads, and gives it to all who verify. */
    const look = async () => {
      const entries: LedgerEntryResource[] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        type Page = { data: LedgerEntryResource[]; next_cursor: string | null };
        const page: Page = await read(`/api/credits/ledger?limit=100&cursor=${cursor}`, ada.key);
        entries.push(...page.data);
        cursor = page.next_cursor;
      }
      type Head = Parameters<typeof createLedgerCheck>[0];
      type Proofs = { proof: LogProofResource | null; solvency: SolvencyProofResource | null };
      const { proof, solvency } = await read<Proofs>("/api/credits/proof", ada.key);
      // What the page does in a browser that has verified the ledger before.
      const log = proof && (await checkLogProof(proof, service.app.signingKeys.receipts).catch(() => null));
      seen ??= log;
      const check = createLedgerCheck(
        await read<Head>("/api/credits/balance", ada.key),
        proof ? [{ ...proof, why: "It is not the one that is in the public log." }] : [],
      );
      for (const entry of entries) await check.add(entry);
      const isDenied = !log || !seen || isContradicted(seen, log) || check.finish() !== undefined;
      const write = (name: string, content: unknown) => {
        writeFileSync(folder(name), JSON.stringify(content));
        return [`--${name}`, folder(name)];
      };
      const args = [
        ...write("keys", (await service.call("/.well-known/jwks.json")).body),
        ...write("export", { ledger: entries, log_proof: proof, solvency_proof: solvency }),
        ...write("receipt", await read(`/api/jobs/${job_id}/receipt`, ada.key)),
        "--checkpoint",
        kept,
        "--file",
        picture,
        "--log",
        `${service.url}/log`,
        "--witness",
        witness.verifierKey,
      ];
      const skipped = { code: null, said: "" };
      const [findings, python, go] = await Promise.all([
        service.audit(),
        hasPython ? runPython(args) : skipped,
        noGo ? skipped : runVerifier(goProgram, [...args, "--entries"]),
      ]);
      const told = `${findings.join("\n")}\nPython: ${python.said}\nGo: ${go.said}`;
      const caughtBy = [
        findings.length > 0 && "audit",
        isDenied && "browser",
        python.code === 1 && "python",
        go.code === 1 && "go",
      ];
      return { caughtBy: caughtBy.filter(Boolean), told, codes: [python.code, go.code] };
    };

    const OF_TOTALS = ["solvency", "solvency_parts", "solvency_tiles"];
    const names = ["accounts", "jobs", "ledger", "log_heads", "log_tiles", "logs", ...OF_TOTALS];
    const whole = await Promise.all(names.map((name) => docs(name).find().toArray()));
    const cannot = [hasPython ? "" : "python", noGo ? "go" : ""];
    for (const [lie, plant, caughtBy] of LIES) {
      await plant();
      const { caughtBy: found, told, codes } = await look();
      expect(codes, `${lie}\n${told}`).not.toContain(2);
      if (lie === "no lie")
        expect(told.match(/witness.example had seen no other history/g) ?? [], told).toHaveLength(
          3 * VERIFIERS.filter((who) => !cannot.includes(who)).length,
        );
      expect(found, `${lie}\n${told}`).toEqual(caughtBy.filter((who) => !cannot.includes(who)));
      for (const [at, name] of names.entries()) {
        const before = whole[at] ?? [];
        // No two entries may have one number, even for a moment.
        const gone = name === "ledger" ? {} : { _id: { $nin: before.map(({ _id }) => _id) } };
        await docs(name).deleteMany(gone);
        // Otherwise replaced, so that the workers of the service never see a document missing.
        await docs(name).bulkWrite(
          before.map((one) => ({ replaceOne: { filter: { _id: one._id }, replacement: one, upsert: true } })),
        );
      }
    }
  },
);
