// A thread that never looks up from its work, whatever it is told.
import { parentPort } from "node:worker_threads";

parentPort?.on("message", () => {
  for (;;);
});
