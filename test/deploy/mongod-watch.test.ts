// deploy/mongod-watch.sh against real processes: it ends a frozen mongod, and none that answers, starts or uses TLS.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MongoClient } from "mongodb";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../../runtime/config/config.ts";
import { findMongod } from "../../runtime/mongod/find.ts";
import { freePort } from "../../runtime/process/free-port.ts";

const WATCH = fileURLToPath(new URL("../../deploy/mongod-watch.sh", import.meta.url));
const SILENT = 1;

async function startBareMongod(): Promise<{ port: number; mongod: ChildProcess }> {
  const folder = mkdtempSync(join(tmpdir(), "atelier-watch-"));
  mkdirSync(join(folder, "db"));
  const port = await freePort();
  const binary = await findMongod({ path: loadConfig().mongodPath, say: () => {} });
  const options = [
    ["--dbpath", join(folder, "db"), "--logpath", join(folder, "log"), "--port", String(port)],
    ["--bind_ip", "127.0.0.1", "--nounixsocket", "--wiredTigerCacheSizeGB", "0.25"],
  ];
  const mongod = spawn(binary, options.flat(), { stdio: "ignore" });
  onTestFinished(async () => {
    if (mongod.exitCode === null && mongod.signalCode === null) {
      mongod.kill("SIGKILL");
      await once(mongod, "exit");
    }
    rmSync(folder, { recursive: true });
  });
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`);
  await client.connect();
  await client.close();
  return { port, mongod };
}

function askOnce(port: number): number | null {
  return spawnSync("bash", [WATCH, String(port)]).status;
}

test("a frozen mongod is ended after three pings, and a responsive one is not", async () => {
  const { port, mongod } = await startBareMongod();
  expect(askOnce(port)).toBe(0);
  const watch = spawn("bash", [WATCH, String(port), String(mongod.pid)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void watch.kill("SIGKILL"));
  let said = "";
  watch.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  const ended = once(watch, "exit");
  mongod.kill("SIGSTOP");
  const [, signal] = (await once(mongod, "exit")) as [number | null, string | null];
  expect(signal).toBe("SIGKILL");
  expect(said).toContain(`mongod on port ${port} has not answered three times in a row`);
  // No process is left to watch.
  await ended;
});

test("a probe reports only a server that accepts a connection and does not answer", async () => {
  expect(askOnce(await freePort())).toBe(0);
  const listen = async (onConnection: (end: () => void) => void): Promise<number> => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      onTestFinished(() => void socket.destroy());
      socket.once("data", () => onConnection(() => socket.destroy()));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  };
  const probe = async (port: number) => {
    const [code] = (await once(spawn("bash", [WATCH, String(port)]), "exit")) as [number | null];
    return code;
  };
  expect(await probe(await listen(() => {}))).toBe(SILENT);
  // Like a server that expects TLS.
  expect(await probe(await listen((end) => end()))).toBe(0);
});

test("the watch of a process ends with it", async () => {
  const sleeper = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  const watch = spawn("bash", [WATCH, String(await freePort()), String(sleeper.pid)]);
  onTestFinished(() => void watch.kill("SIGKILL"));
  const ended = once(watch, "exit");
  sleeper.kill("SIGKILL");
  expect(await ended).toEqual([0, null]);
});
