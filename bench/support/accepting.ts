// Jobs accepted while something else goes on.
import { acceptJobs } from "../../core/studio/jobs/accept.ts";
import type { JobsApp } from "../../core/studio/jobs/intake.ts";
import type { Caller } from "../../proto/caller.ts";
import { benchRequest } from "./world.ts";

/** Jobs accepted a second, one after the other by each caller, for as long as the work takes. */
export async function whileAccepting(
  app: JobsApp,
  callers: readonly Caller[],
  work: () => Promise<unknown>,
): Promise<number> {
  const began = performance.now();
  let isOver = false;
  let accepted = 0;
  const all = callers.map(async (caller) => {
    while (!isOver) {
      const [result] = await acceptJobs(app, [benchRequest(caller)]);
      if (result?.status === "fulfilled") accepted += 1;
      else await new Promise((wait) => setTimeout(wait, 50));
    }
  });
  await work();
  isOver = true;
  await Promise.all(all);
  return accepted / ((performance.now() - began) / 1000);
}
