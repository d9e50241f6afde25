// Sends HTTP requests on raw connections with minimal parsing, because a client library would use more of the machine than the servers.
// Either each connection sends its next request after a response, or requests arrive at random times independent of responses; then latency
// is measured from the due time, also while no connection is free.
import { connect, type Socket } from "node:net";
import { answerParent } from "./child.ts";
import { type Load, quantile } from "./stats.ts";

export type Arrivals = { perSecond: number; forMs: number };
export type LoadOrder = {
  port: number;
  /** The limit of connections, for requests at random times. */
  connections: number;
  /** Raw requests; each connection cycles through all of them, from its own start. In each, ONCE is replaced by a new number every time. */
  requests: string[];
  /** The expected status. Only such responses count. */
  status: number;
  /** Another status that is valid, but not counted. */
  uncounted?: number;
  /** Text that marks a response with the expected status as a refusal. */
  refusal?: string;
  /** Every response is as long as the first, so that counting bytes is enough. False where headers contain times or remaining requests. */
  alike?: true;
} & ({ forMs: number } | { arrivals: Arrivals[] });

/** `lastBadMs`: the due time of the last late or unexpected response, from the start. */
export type Answered = Load & {
  p95Ms: number;
  p999Ms: number;
  statuses: Record<string, number>;
  lastBadMs: number;
};
/** One part for each arrival rate. */
export type LoadResult = { parts: Answered[]; cpuShare: number };

export const ONCE = "{a-number-once}";
export const LATE_MS = 250;
const HANG_MS = 30_000;
const HEAD_END = Buffer.from("\r\n\r\n");
const NOTHING: Buffer = Buffer.alloc(0);
const CHUNKS_END = Buffer.from("0\r\n\r\n");
const LENGTH = /\r\ncontent-length: (\d+)/i;
const CHUNKED = /\r\ntransfer-encoding: chunked/i;

/** `what` is its status, or the error. */
type Answer = (connection: Connection, what: string) => void;
type Connection = { send(bytes: Buffer): void; end(): void };
type Reading = Pick<LoadOrder, "port" | "status" | "alike" | "refusal">;

/** One request at a time. Connects when there is something to send. */
function openConnection({ port, status, alike, refusal }: Reading, answer: Answer): Connection {
  let socket: Socket | undefined;
  let asked = false;
  let pending = NOTHING;
  let got = 0;
  let isRefused = false;
  /** Remaining bytes of the body; -1 while the head is read, infinite for chunks. */
  let left = -1;
  /** Of a whole response, where all are of equal length. */
  let wholeBytes = 0;
  let arrivedBytes = 0;

  const finish = (result: number | string) => {
    if (!asked) return;
    const what = isRefused ? `${result}, refused` : String(result);
    [asked, isRefused, left, arrivedBytes, pending] = [false, false, -1, 0, NOTHING];
    answer(connection, what);
  };
  const readHead = (): boolean => {
    const end = pending.indexOf(HEAD_END);
    if (end === -1) return false;
    const head = pending.toString("latin1", 0, end + 2);
    got = Number(head.slice(9, 12));
    const length = LENGTH.exec(head)?.[1];
    left = got === 304 || got === 204 ? 0 : Number(length ?? (CHUNKED.test(head) ? Infinity : 0));
    if (alike && got === status) wholeBytes = end + HEAD_END.length + left;
    pending = pending.subarray(end + HEAD_END.length);
    return true;
  };
  const read = (chunk: Buffer) => {
    if (wholeBytes > 0 && left === -1 && pending.length === 0) {
      arrivedBytes += chunk.length;
      if (arrivedBytes > wholeBytes) socket?.destroy(new Error("a response was longer than the one before"));
      if (arrivedBytes === wholeBytes) finish(status);
      return;
    }
    if (refusal !== undefined && chunk.includes(refusal)) isRefused = true;
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    if (left === -1 && !readHead()) return;
    if (left === Infinity) {
      if (pending.subarray(-CHUNKS_END.length).equals(CHUNKS_END)) finish(got);
      return;
    }
    left -= pending.length;
    pending = NOTHING;
    if (left <= 0) finish(got);
  };
  const connectNow = (): Socket => {
    const made = connect({ port, host: "127.0.0.1", noDelay: true });
    made.setTimeout(HANG_MS, () => made.destroy());
    made.on("data", read);
    made.on("error", () => {});
    made.on("close", () => {
      if (socket === made) socket = undefined;
      finish("broken");
    });
    return made;
  };
  const connection = {
    send: (bytes: Buffer) => {
      asked = true;
      socket ??= connectNow();
      socket.write(bytes);
    },
    end: () => socket?.destroy(),
  };
  return connection;
}

/** The results of one part of a load. */
function createTally({ status, uncounted }: LoadOrder): {
  note(what: string, dueMs: number): void;
  sum(startMs: number): Answered;
} {
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  let [lastBadMs, lastMs] = [0, 0];
  return {
    note: (what, dueMs) => {
      if (what === String(uncounted)) return;
      lastMs = performance.now();
      statuses[what] = (statuses[what] ?? 0) + 1;
      const isGood = what === String(status);
      if (isGood) latencies.push(lastMs - dueMs);
      if (!isGood || lastMs - dueMs > LATE_MS) lastBadMs = Math.max(lastBadMs, dueMs);
    },
    sum: (startMs) => {
      const [p50Ms = 0, p95Ms = 0, p99Ms = 0, p999Ms = 0] = [0.5, 0.95, 0.99, 0.999].map((q) =>
        quantile(latencies, q),
      );
      const perSecond = (latencies.length / (lastMs - startMs)) * 1000;
      return {
        perSecond,
        p50Ms,
        p95Ms,
        p99Ms,
        p999Ms,
        statuses,
        lastBadMs: Math.max(0, lastBadMs - startMs),
      };
    },
  };
}

let count = Math.floor(Math.random() * 1e9) * 1e6;

function writersOf(requests: readonly string[]): (() => Buffer)[] {
  return requests.map((text) => {
    const bytes = Buffer.from(text);
    if (!text.includes(ONCE)) return () => bytes;
    // As long as what it replaces, so that content-length stays right.
    return () => Buffer.from(text.replace(ONCE, String(count++).padStart(ONCE.length, "0")));
  });
}

/** Each connection's next request after its last response. */
async function runClosed(order: LoadOrder & { forMs: number }): Promise<Answered[]> {
  const writers = writersOf(order.requests);
  const tally = createTally(order);
  const startMs = performance.now();
  const drive = (first: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let [at, sentMs] = [first, 0];
    const connection = openConnection(order, (_, what) => {
      tally.note(what, sentMs);
      if (performance.now() - startMs < order.forMs) return send();
      connection.end();
      resolve();
    });
    const send = () => {
      sentMs = performance.now();
      connection.send((writers[at++ % writers.length] as () => Buffer)());
    };
    send();
    return promise;
  };
  const firsts = Array.from({ length: order.connections }, (_, i) => i / order.connections);
  await Promise.all(firsts.map((part) => drive(Math.floor(part * writers.length))));
  return [tally.sum(startMs)];
}

type Due = { ms: number; part: number };

/** From 0. The times between arrivals are exponentially distributed, as from many independent clients. */
function planArrivals(arrivals: readonly Arrivals[]): Due[] {
  const due: Due[] = [];
  let endMs = 0;
  for (const [part, { perSecond, forMs }] of arrivals.entries()) {
    let ms = endMs;
    endMs += forMs;
    while ((ms -= (Math.log(1 - Math.random()) * 1000) / perSecond) < endMs) due.push({ ms, part });
  }
  return due;
}

async function runOpen(order: LoadOrder & { arrivals: Arrivals[] }): Promise<Answered[]> {
  const writers = writersOf(order.requests);
  // Before the time starts: requests that become due during this would come in one burst, each on a new connection.
  const due = planArrivals(order.arrivals);
  const tallies = order.arrivals.map(() => createTally(order));
  const free: Connection[] = [];
  const underWay = new Map<Connection, Due>();
  const all: Connection[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  let at = 0;
  const startMs = performance.now();
  const sendDue = (): void => {
    while (at < due.length && startMs + (due[at] as Due).ms <= performance.now()) {
      const connection = free.pop() ?? (all.length < order.connections ? add() : undefined);
      if (!connection) return;
      underWay.set(connection, due[at] as Due);
      connection.send((writers[at++ % writers.length] as () => Buffer)());
    }
    if (at === due.length && underWay.size === 0) resolve();
  };
  const add = (): Connection => {
    const made = openConnection(order, (connection, what) => {
      const { ms, part } = underWay.get(connection) as Due;
      underWay.delete(connection);
      free.push(connection);
      tallies[part]?.note(what, startMs + ms);
      sendDue();
    });
    all.push(made);
    return made;
  };
  const ticking = setInterval(sendDue, 1);
  await promise;
  clearInterval(ticking);
  for (const connection of all) connection.end();
  let beganMs = startMs;
  return tallies.map((tally, part) => {
    const sum = tally.sum(beganMs);
    beganMs += order.arrivals[part]?.forMs ?? 0;
    return sum;
  });
}

answerParent<LoadOrder, LoadResult>(async (order) => {
  const [before, startMs] = [process.cpuUsage(), performance.now()];
  const parts = await ("arrivals" in order ? runOpen(order) : runClosed(order));
  const { user, system } = process.cpuUsage(before);
  return { parts, cpuShare: (user + system) / 1000 / (performance.now() - startMs) };
});
