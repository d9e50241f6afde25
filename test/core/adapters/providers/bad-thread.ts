// A thread that exits for the prompt "crash", never answers "stuck", and answers any other with one byte.
import { parentPort } from "node:worker_threads";

parentPort?.on("message", ({ prompt }: { prompt: string }) => {
  if (prompt === "crash") throw new Error("out of paint");
  while (prompt === "stuck");
  parentPort?.postMessage({ kind: "done", pieces: [{ bytes: new Uint8Array(1), mimeType: "image/png" }] });
});
