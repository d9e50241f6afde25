// Ends the processes of the fault suite once the suite is gone, however it went: what is frozen hears neither a signal nor a closed
// pipe. Told of each as a line "PID START"; kills those that are still the same when its input ends.
import { createInterface } from "node:readline";
import { processStart } from "../../runtime/process/alive.ts";

// Ctrl-C reaches the whole group; this one has to outlive it.
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
    // It has just ended by itself.
  }
}
