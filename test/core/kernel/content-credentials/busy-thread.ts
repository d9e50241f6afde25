// A thread that exits for "crash", never answers "stuck", fails like the library for "trap", and returns any other file unchanged; after
// "heavy" it exceeds its memory limit.
import { parentPort, threadId } from "node:worker_threads";
import type { Reply, SigningTask } from "../../../../core/kernel/content-credentials/thread.ts";

parentPort?.on("message", ({ bytes }: SigningTask) => {
  const text = Buffer.from(bytes).toString();
  if (text === "crash") throw new Error("out of ink");
  while (text === "stuck");
  if (text.includes("trap")) {
    parentPort?.postMessage({ kind: "broken", reason: "unreachable", last: true } satisfies Reply);
    return;
  }
  const result = Buffer.from(`${text} by thread ${threadId}`);
  parentPort?.postMessage({ kind: "done", result, last: text === "heavy" } satisfies Reply);
});
