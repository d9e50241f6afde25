// HTTP servers, loaded in turn, with their processor time per response.
import { useOf } from "../../scripts/testbed/processes.ts";
import { type Child, startChild } from "./child.ts";
import type { Answered, Arrivals, LoadOrder, LoadResult } from "./http-load-process.ts";
import { byTurns, type Load, median, medianLoad } from "./stats.ts";

export type Loader = Child<LoadOrder, LoadResult>;
export type ClosedOrder = LoadOrder & { forMs: number };

export type Side = { readonly order: ClosedOrder; readonly pid: number };
export type Score = Load & { cpuMicrosEach: number };

export function startLoader(): Promise<Loader> {
  return startChild("http-load-process.ts");
}

/** A raw request; a POST when there is a body. */
export function requestText(path: string, headers: Record<string, string>, body?: string): string {
  const about = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const lines = Object.entries({ host: "127.0.0.1", ...headers, ...about }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${body === undefined ? "GET" : "POST"} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`;
}

/** The medians of each side. */
export async function contest(loader: Loader, sides: readonly Side[], rounds: number): Promise<Score[]> {
  const scores = await byTurns(sides, rounds, async ({ order, pid }): Promise<Score> => {
    const before = useOf(pid).cpuSeconds;
    const load = await driveHttp(loader, order);
    const answers = (load.perSecond * order.forMs) / 1000;
    return { ...load, cpuMicrosEach: ((useOf(pid).cpuSeconds - before) * 1e6) / answers };
  });
  return scores.map((own) => ({
    ...medianLoad(own),
    cpuMicrosEach: median(own.map(({ cpuMicrosEach }) => cpuMicrosEach)),
  }));
}

/** Throws when a response was not the expected one. */
export async function driveHttp(
  loader: Loader,
  order: ClosedOrder | (LoadOrder & { arrivals: [Arrivals] }),
): Promise<Answered> {
  const [answered] = (await loader.ask(order)).parts;
  const others = Object.keys(answered?.statuses ?? {}).filter((status) => status !== String(order.status));
  if (!answered || others.length > 0)
    throw new Error(`answered ${others.join(", ")} instead of ${order.status}: ${order.requests[0]}`);
  return answered;
}
