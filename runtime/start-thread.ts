// Starts threads.
import { setFlagsFromString } from "node:v8";
import { Worker, type WorkerOptions } from "node:worker_threads";

/** The garbage of a thread is short-lived; a large nursery would only stay with the process. */
const MAX_YOUNG_MB = 4;

type ThreadOptions = Pick<WorkerOptions, "name" | "workerData" | "execArgv"> & {
  /** The maximum size of the old generation. */
  readonly maxHeapMb?: number;
};

/** Starts a thread with a small nursery, whatever the nursery of the process, and without the flags of the process. */
export function startThread(entry: URL, { maxHeapMb, execArgv = [], ...options }: ThreadOptions): Worker {
  // V8 prefers --max-semi-space-size to the limit of a thread. The main thread's heap has been set up with it by now.
  setFlagsFromString("--max-semi-space-size=0");
  return new Worker(entry, {
    ...options,
    execArgv,
    resourceLimits: {
      maxYoungGenerationSizeMb: MAX_YOUNG_MB,
      ...(maxHeapMb !== undefined && { maxOldGenerationSizeMb: maxHeapMb }),
    },
  });
}
