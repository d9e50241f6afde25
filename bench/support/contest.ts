// Sides that answer HTTP requests, loaded by turns, with the processor time that each of them takes for an answer.
import type { Child } from "./child.ts";
import type { LoadOrder, LoadResult } from "./http-load-process.ts";
import { byTurns, type Load, median, medianLoad } from "./stats.ts";

export type Loader = Child<LoadOrder, LoadResult>;

/** `cpuSeconds` is the processor time of its process so far. */
export type Side = { readonly order: LoadOrder; cpuSeconds(): Promise<number> };
export type Score = Load & { cpuMicrosEach: number };

/** The medians of each side. */
export async function contest(loader: Loader, sides: readonly Side[], rounds: number): Promise<Score[]> {
  const scores = await byTurns(sides, rounds, async ({ order, cpuSeconds }): Promise<Score> => {
    const before = await cpuSeconds();
    const load = await driveHttp(loader, order);
    const answers = (load.perSecond * order.forMs) / 1000;
    return { ...load, cpuMicrosEach: (((await cpuSeconds()) - before) * 1e6) / answers };
  });
  return scores.map((own) => ({
    ...medianLoad(own),
    cpuMicrosEach: median(own.map(({ cpuMicrosEach }) => cpuMicrosEach)),
  }));
}

/** Throws where an answer was not the one that was ordered. */
export async function driveHttp(loader: Loader, order: LoadOrder): Promise<Load> {
  const { error, ...load } = await loader.ask(order);
  if (error !== undefined) throw new Error(error);
  return load;
}
