// Requests event streams on separate connections, at a rate or a number at a time, and keeps the granted ones open.
import { type ClientRequest, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { answerParent } from "./child.ts";

export type AskOrder = {
  port: number;
  /** Requested in turn; a POST when there is a body. */
  asked: { path: string; key: string; headers?: Record<string, string>; body?: string }[];
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

async function ask({ port, asked: wanted, count, pace }: AskOrder): Promise<AskResult> {
  for (const sent of open.splice(0)) sent.destroy();
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
function openOne(
  port: number,
  { path, key, headers: own, body }: AskOrder["asked"][number],
): Promise<string> {
  return new Promise((resolve) => {
    const headers = { ...own, authorization: `Bearer ${key}` };
    const method = body === undefined ? "GET" : "POST";
    const sent = request({ host: "127.0.0.1", port, path, method, agent: false, headers });
    sent.once("response", (response) => {
      response.on("error", () => {});
      resolve(String(response.statusCode));
      response.resume();
      if (response.statusCode === 200) open.push(sent);
    });
    sent.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "error"));
    sent.end(body);
  });
}

answerParent<AskOrder, AskResult>("ready", ask, async () => {
  for (const sent of open) sent.destroy();
});
