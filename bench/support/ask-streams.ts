// Requests event streams on separate connections, at a rate or a number at a time, and keeps the granted ones open.
import { type ClientRequest, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

export type AskOrder = {
  port: number;
  /** Requested in turn. */
  asked: { path: string; key: string }[];
  count: number;
  /** The number per second, independent of responses; otherwise this many in parallel, as fast as they are answered. */
  pace: { perSecond: number } | { atOnce: number };
};
export type AskResult = {
  /** The number of responses with each status. */
  statuses: Record<string, number>;
  tookMs: number;
};

const open: ClientRequest[] = [];

/** Closes the streams that are open. */
export function closeStreams(): void {
  for (const sent of open.splice(0)) sent.destroy();
}

export async function askStreams({ port, asked: wanted, count, pace }: AskOrder): Promise<AskResult> {
  const statuses: Record<string, number> = {};
  const askOne = async (i: number): Promise<void> => {
    const one = wanted[i % wanted.length];
    if (!one) return;
    const status = await openOne(port, one);
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const startMs = performance.now();
  const asked: Promise<void>[] = [];
  for (let i = 0; i < count; i++) {
    asked.push(askOne(i));
    if ("perSecond" in pace)
      await sleep(Math.max(0, startMs + ((i + 1) * 1000) / pace.perSecond - performance.now()));
    else if (asked.length % pace.atOnce === 0) await Promise.all(asked);
  }
  await Promise.all(asked);
  return { statuses, tookMs: performance.now() - startMs };
}

/** Its status, or the code of the broken connection. */
function openOne(port: number, { path, key }: AskOrder["asked"][number]): Promise<string> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${key}` };
    const sent = request({ host: "127.0.0.1", port, path, agent: false, headers });
    sent.once("response", (response) => {
      response.on("error", () => {});
      resolve(String(response.statusCode));
      response.resume();
      if (response.statusCode === 200) open.push(sent);
    });
    sent.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "error"));
    sent.end();
  });
}
