// How much memory V8 holds.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collect = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

/**
 * Runs one full collection, which takes some tens of milliseconds. V8 collects only when a process allocates: an idle process would keep
 * the garbage of its start permanently, a third of the memory of a small core. Afterwards V8 has a small young generation. A process that
 * answers from memory pays for that: a gateway used a third more processor time for each cached page.
 */
export function releaseMemory(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as Collect;
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
}

/**
 * Makes V8 collect when the heap has grown by this percentage over its live size. Its own choice is between a tenth and several times,
 * and the less, the fewer objects the process creates: a gateway that answers with large buffers collected three times a second.
 */
export function limitHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
