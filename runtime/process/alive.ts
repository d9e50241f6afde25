// Whether a process on this machine still runs, and whether it is still the same one.
import { readFileSync } from "node:fs";

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM means that it runs but belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  // A dead process that its parent has not reaped can still be signalled.
  return statFields(pid)?.[0] !== "Z";
}

/** Distinguishes two processes that had the same pid at different times. Returns undefined if the system does not say (not Linux). */
export function processStart(pid: number): string | undefined {
  return statFields(pid)?.[19];
}

/** Returns the fields of Linux's /proc/PID/stat from the state on. The name before it may contain spaces and brackets. */
function statFields(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}
