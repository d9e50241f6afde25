// A thread that exits for every task.
import { parentPort } from "node:worker_threads";

parentPort?.on("message", () => {
  throw new Error("the library broke");
});
