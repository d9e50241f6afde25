// A small suite for processes.test.ts: starts a process, freezes it, and reports the pid to its parent. Then it waits to be killed.
import { createProcesses } from "../../scripts/testbed/processes.ts";

const child = createProcesses().start("sleeper", process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
await child.signal("SIGSTOP");
process.stdout.write(`${child.pid}\n`);
setInterval(() => {}, 1_000);
