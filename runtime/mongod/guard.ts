// Runs one mongod that never outlives its parent process: when stdin closes, even because the parent was killed with -9, mongod gets
// SIGTERM. It runs in its own process group, so that Ctrl-C in a terminal reaches the service's own shutdown first. Arguments: the log
// file, mongod, and its arguments. The guard writes mongod's pid to stdout and exits with mongod's exit code.
import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { constants } from "node:os";

/** After SIGTERM mongod writes a checkpoint. If that takes longer than this, mongod is killed, and its journal keeps the data. */
const STOP_BOUND_MS = 20_000;

const [logFile, binary, ...args] = process.argv.slice(2);
if (!logFile || !binary) throw new Error("usage: mongod-guard LOG_FILE MONGOD [ARGUMENT…]");

const log = openSync(logFile, "a", 0o600);
const mongod = spawn(binary, args, { stdio: ["ignore", log, log] });

function stop(): void {
  mongod.kill("SIGTERM");
  setTimeout(() => mongod.kill("SIGKILL"), STOP_BOUND_MS).unref();
}

// The parent may be gone during the write.
process.stdout.on("error", () => {});
process.stdin.on("end", stop).on("error", stop).resume();
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, stop);

mongod.on("spawn", () => process.stdout.write(`${mongod.pid}\n`));
mongod.on("error", () => process.exit(127));
mongod.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal ?? "SIGKILL"]));
