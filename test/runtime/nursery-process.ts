// A program for tests: prints how large the nurseries of its main thread and of a thread become under the same work, in bytes.
import { getHeapSpaceStatistics } from "node:v8";
import { isMainThread, parentPort } from "node:worker_threads";
import { startThread } from "../../runtime/start-thread.ts";

const ROUNDS = 400;
const OBJECTS = 10_000;

/** Keeps enough of what it makes alive for V8 to enlarge the nursery as far as it may. */
function nurseryAfterWork(): number {
  let kept: object[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (let n = 0; n < OBJECTS; n++) kept.push({ n, parts: [n, round] });
    if (kept.length > 6 * OBJECTS) kept = kept.slice(3 * OBJECTS);
  }
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space")?.space_size ?? 0;
}

if (isMainThread) {
  startThread(new URL(import.meta.url), { name: "nursery" }).once("message", (thread: number) => {
    console.log(JSON.stringify({ main: nurseryAfterWork(), thread }));
  });
} else parentPort?.postMessage(nurseryAfterWork());
