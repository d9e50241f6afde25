// Sends HTTP requests on raw connections, each its next one as soon as the last is answered, and parses no more than it must: a client
// library would take more of the machine than the servers it measures.
import { connect, type Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { answerParent } from "./child.ts";
import type { Load } from "./stats.ts";
import { quantile } from "./stats.ts";

export type LoadOrder = {
  port: number;
  connections: number;
  forMs: number;
  /** Whole requests as text; each connection walks through all of them, from a place of its own. */
  requests: string[];
  /** The only status that may come. */
  status: number;
  /** Every answer is as long as the first, so that counting bytes is enough. Not so where headers tell of time or remaining requests. */
  alike?: true;
  /** Each connection sends its next request no sooner than so long after the one before. Default: as soon as that is answered. */
  everyMs?: number;
};
export type LoadResult = Load & { p95Ms?: number; error?: string };

const HANG_MS = 10_000;
const HEAD_END = Buffer.from("\r\n\r\n");
const LENGTH = /\r\ncontent-length: (\d+)/i;

async function run(order: LoadOrder): Promise<LoadResult> {
  const { connections, forMs } = order;
  const requests = order.requests.map((text) => Buffer.from(text));
  const latencies: number[] = [];
  const startMs = performance.now();
  const all = Array.from({ length: connections }, (_, i) => {
    const first = Math.floor((i * requests.length) / connections);
    return drive({ ...order, requests, first, until: startMs + forMs }, latencies);
  });
  await Promise.all(all);
  const seconds = (performance.now() - startMs) / 1000;
  return {
    perSecond: latencies.length / seconds,
    p50Ms: quantile(latencies, 0.5),
    p95Ms: quantile(latencies, 0.95),
    p99Ms: quantile(latencies, 0.99),
  };
}

type Drive = Omit<LoadOrder, "requests"> & { requests: Buffer[]; first: number; until: number };

function drive(
  { port, requests, first, until, status, alike, everyMs }: Drive,
  latencies: number[],
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket: Socket = connect({ port, host: "127.0.0.1", noDelay: true });
  let at = first;
  let sentMs = 0;
  let pending: Buffer = Buffer.alloc(0);
  /** Bytes of the body that are still to come; -1 while the head is read. */
  let left = -1;
  /** Of a whole answer, where all are alike: then counting bytes is enough. */
  let wholeBytes = 0;
  let arrivedBytes = 0;

  const send = () => {
    sentMs = performance.now();
    arrivedBytes = 0;
    socket.write(requests[at++ % requests.length] ?? "");
  };
  const finish = () => {
    const nowMs = performance.now();
    latencies.push(nowMs - sentMs);
    const nextMs = everyMs === undefined ? nowMs : Math.max(nowMs, sentMs + everyMs);
    if (nextMs > nowMs && nextMs < until) return void setTimeout(send, nextMs - nowMs);
    if (nextMs < until) return send();
    socket.end();
    resolve();
  };
  const readHead = (): boolean => {
    const end = pending.indexOf(HEAD_END);
    if (end === -1) return false;
    const head = pending.toString("latin1", 0, end + 2);
    const got = Number(head.slice(9, 12));
    if (got !== status) {
      socket.destroy(
        new Error(`answered ${got} instead of ${status}: ${String(requests[(at - 1) % requests.length])}`),
      );
      return false;
    }
    left = got === 304 ? 0 : Number(LENGTH.exec(head)?.[1] ?? 0);
    if (alike) wholeBytes = end + HEAD_END.length + left;
    pending = pending.subarray(end + HEAD_END.length);
    return true;
  };
  socket.setTimeout(HANG_MS, () => socket.destroy(new Error("no answer")));
  socket.on("connect", send);
  socket.on("data", (chunk: Buffer) => {
    if (wholeBytes > 0 && left === -1) {
      arrivedBytes += chunk.length;
      if (arrivedBytes > wholeBytes) socket.destroy(new Error("an answer was longer than the one before"));
      if (arrivedBytes === wholeBytes) finish();
      return;
    }
    if (left > 0 && chunk.length <= left) left -= chunk.length;
    else {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      if (left === -1 && !readHead()) return;
      left -= pending.length;
      pending = Buffer.alloc(0);
    }
    if (left > 0) return;
    left = -1;
    finish();
  });
  socket.on("error", reject);
  socket.on("close", () => reject(new Error("the server closed the connection")));
  return promise;
}

answerParent<LoadOrder, LoadResult>(
  "ready",
  (order) => run(order).catch((error: Error) => ({ perSecond: 0, p50Ms: 0, p99Ms: 0, error: error.message })),
  async () => {},
);
