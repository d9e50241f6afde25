// Public code of logs, built by Go: the witness of filippo.io/torchwood, and its client in read-log.go. The witness has its key from an SSH
// agent, which this file plays.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { copyFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { freePort } from "../../runtime/process/free-port.ts";
import { waitFor } from "./wait-for.ts";
import { GO } from "./verify-go.ts";

const VERSION = "v0.6.1";
/** The client's own requirement, 0.24.0, does not verify every tile. */
const TLOG_VERSION = "v0.43.0";
const READ_LOG = fileURLToPath(new URL("read-log.go", import.meta.url));
const STARTED_MS = 60_000;

/** Builds both in this folder, and returns their paths; an Error says why they cannot be had on this machine. */
export async function buildTorchwood(folder: string) {
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
export async function startLitewitness(program: string, folder: string, name: string) {
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
