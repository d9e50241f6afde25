// Ends the processes of the fault suite after it, however it ended: a frozen process reacts to neither a signal nor a closed pipe. Each is
// a line "PID START" on its input; at the end of the input it kills those that are still the same process.
import { createInterface } from "node:readline";
import { processStart } from "../../runtime/process/alive.ts";

// Ctrl-C reaches the whole group; this process must outlive it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});

const told: [pid: number, start: string][] = [];
for await (const line of createInterface({ input: process.stdin })) {
  const [pid, start = ""] = line.split(" ");
  told.push([Number(pid), start]);
}
for (const [pid, start] of told) {
  if (processStart(pid) !== start) continue;
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has just ended.
  }
}
