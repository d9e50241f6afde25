// A thread that dies over every task.
import { parentPort } from "node:worker_threads";

parentPort?.on("message", () => {
  throw new Error("the library broke");
});
