// A process with parts to close, for tests that signal it. Arguments: limit in milliseconds, what the second part does. Prints `up`, then
// the name of each part as it closes.
import { createLog } from "../../runtime/log/log.ts";
import { onShutdown } from "../../runtime/process/shutdown.ts";

const [boundMs, behaviour] = process.argv.slice(2);
const shutdown = onShutdown({ boundMs: Number(boundMs), log: createLog("error", "test", process.stderr) });
shutdown.add("database", () => console.log("database"));
shutdown.add("worker", () => {
  console.log("worker");
  if (behaviour === "fails") throw new Error("cannot close");
  if (behaviour === "hangs" || behaviour === "lost") return new Promise<void>(() => {});
  return undefined;
});
shutdown.add("http", () => console.log("http"));
// Keeps the process running, as a listening server does.
setInterval(() => {}, 60_000);
if (behaviour === "bug") setTimeout(() => Promise.reject(new Error("a bug")), 1);
if (behaviour === "told") shutdown.begin(new Error("mongod is lost"));
if (behaviour === "lost") setTimeout(() => shutdown.begin(new Error("mongod is lost"), 100), 1);
console.log("up");
