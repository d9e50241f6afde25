// Two witnesses of public code cosign the log, and refuse lies of an operator who has the key: a fork, a rewritten entry, a log that was cut off.
// A client of public code reads each entry of the log.
// Go builds them, which takes minutes: npm test -- test/core/identity/log/public-witnesses.test.ts --mode thorough
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { copyFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Binary } from "mongodb";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { operatorPanels } from "../../../../core/entry/operator-panels.ts";
import { askWitnesses } from "../../../../core/identity/log/ask-witnesses.ts";
import { readCheckpoint } from "../../../../core/identity/log/read-log.ts";
import { witnessDocs } from "../../../../core/identity/log/store-witnesses.ts";
import { type LoggedHeadDoc, logs } from "../../../../core/identity/log/store.ts";
import { appendHeads, signCheckpoint, takeLog } from "../../../../core/identity/log/write-log.ts";
import type { App } from "../../../../core/kernel/app.ts";
import { logWitnesses } from "../../../../runtime/config/log-witnesses.ts";
import type { Cell } from "../../../../runtime/ops/panels.ts";
import { freePort } from "../../../../runtime/process/free-port.ts";
import { forgeLog, loggedOf } from "../../../support/forge-log.ts";
import { useFolder } from "../../../support/shared.ts";
import { BUILD_BOUND_MS, runVerifier, GO } from "../../../support/verify-go.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { startWholeService, type WholeService } from "../../../support/whole-service.ts";

const VERSION = "v0.6.1";
/** The client's own requirement, 0.24.0, does not verify every tile. */
const TLOG_VERSION = "v0.43.0";
const READ_LOG = fileURLToPath(new URL("../../../support/read-log.go", import.meta.url));
const STARTED_MS = 60_000;

/** Builds both in this folder, and returns their paths; an Error says why they cannot be had on this machine. */
async function buildTorchwood(folder: string) {
  const go = GO;
  if (!go) return new Error("Go is not installed");
  const run = (...args: readonly string[]) =>
    promisify(execFile)(go, args, { cwd: folder, env: { ...process.env, GOBIN: folder } });
  const required = `require filippo.io/torchwood ${VERSION}\n\nrequire golang.org/x/mod ${TLOG_VERSION}\n`;
  writeFileSync(join(folder, "go.mod"), `module read-log\n\ngo 1.26.0\n\n${required}`);
  copyFileSync(READ_LOG, join(folder, "read-log.go"));
  try {
    await run("install", `filippo.io/torchwood/cmd/litewitness@${VERSION}`);
    await run("build", "-mod=mod", "-o", "read-log", ".");
  } catch (error) {
    return error as Error;
  }
  return { litewitness: join(folder, "litewitness"), readLog: join(folder, "read-log") };
}

const sshString = (bytes: string | Uint8Array) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.from(bytes).length);
  return Buffer.concat([length, Buffer.from(bytes)]);
};

/** An SSH agent with one Ed25519 key: it lists it, and signs with it. */
async function startAgent(path: string) {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const x = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  const blob = Buffer.concat([sshString("ssh-ed25519"), sshString(x)]);
  const answer = (message: Buffer): Buffer => {
    // SSH_AGENTC_REQUEST_IDENTITIES
    if (message[0] === 11)
      return Buffer.concat([Buffer.of(12, 0, 0, 0, 1), sshString(blob), sshString("witness")]);
    // SSH_AGENTC_SIGN_REQUEST: the key, then the data
    const from = 1 + 4 + blob.length + 4;
    const data = message.subarray(from, from + message.readUInt32BE(from - 4));
    const signed = Buffer.concat([sshString("ssh-ed25519"), sshString(sign(null, data, privateKey))]);
    return Buffer.concat([Buffer.of(14), sshString(signed)]);
  };
  const server = createServer((socket) => {
    let read = Buffer.alloc(0);
    socket.on("data", (chunk) => {
      read = Buffer.concat([read, chunk]);
      while (read.length >= 4 && read.length >= 4 + read.readUInt32BE()) {
        const end = 4 + read.readUInt32BE();
        socket.write(sshString(answer(read.subarray(4, end))));
        read = read.subarray(end);
      }
    });
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const fingerprint = createHash("sha256").update(blob).digest("base64").replace(/=+$/, "");
  return { fingerprint: `SHA256:${fingerprint}`, close: () => server.close() };
}

/** Starts one that knows no log yet. */
async function startLitewitness(program: string, folder: string, name: string) {
  const base = join(folder, name);
  const agent = await startAgent(`${base}.sock`);
  const listen = `127.0.0.1:${await freePort()}`;
  const options = { db: `${base}.db`, name, "ssh-agent": `${base}.sock`, key: agent.fingerprint, listen };
  const child: ChildProcess = spawn(
    program,
    Object.entries(options).flatMap(([option, value]) => [`-${option}`, value]),
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await waitFor(
    `${name} to listen`,
    async () => {
      if (child.exitCode !== null) throw new Error(said);
      return (await fetch(`http://${listen}`).catch(() => undefined))?.ok ?? false;
    },
    STARTED_MS,
  );
  return {
    setting: `${/vkey=(\S+)/.exec(said)?.[1]} http://${listen}`,
    /** What its tool `witnessctl` does, which needs more packages. */
    addLog: (origin: string, verifierKey: string) => {
      const db = new DatabaseSync(`${base}.db`);
      const empty = createHash("sha256").digest("base64");
      db.prepare("INSERT INTO log (origin, tree_size, tree_hash) VALUES (?, 0, ?)").run(origin, empty);
      db.prepare("INSERT INTO key (origin, key) VALUES (?, ?)").run(origin, verifierKey);
      db.close();
    },
    close: () => {
      child.kill("SIGKILL");
      agent.close();
    },
  };
}

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
