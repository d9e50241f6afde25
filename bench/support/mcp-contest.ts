// One JSON-RPC request, sent to each contender in alternating rounds, and the table of what came of it.
import type { Child } from "./child.ts";
import type { LoadOrder, LoadResult } from "./http-load-process.ts";
import { type Load, median, medianLoad, ms, printTable, rate } from "./stats.ts";

const CALLERS = 32;
const ROUNDS = 5;
const ROUND_MS = 1_500;

export type Contender = {
  readonly label: string;
  readonly port: number;
  readonly path: string;
  /** None where no key is needed. */
  readonly key?: string;
  /** Processor time that it took so far. */
  readonly cpuSeconds: () => Promise<number>;
};

export type Contest = {
  readonly title: string;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
  /** A part of the right answer, of which everybody has to give the same, or the comparison says nothing. */
  readonly expected: string;
};

type Score = Load & { cpuMicrosEach: number };

/** The first contender is held against the best of the others. */
export async function compare(
  loader: Child<LoadOrder, LoadResult>,
  contest: Contest,
  contenders: readonly Contender[],
): Promise<void> {
  const rounds = new Map<Contender, Score[]>(contenders.map((contender) => [contender, []]));
  for (const contender of contenders) await expectAnswer(contest, contender);
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const contender of contenders) {
      const score = await measure(loader, contest, contender);
      if (round > 0) rounds.get(contender)?.push(score);
    }
  }
  print(
    contest.title,
    contenders.map((contender) => ({ label: contender.label, ...medianScore(rounds.get(contender) ?? []) })),
  );
}

function print(title: string, scores: readonly (Score & { label: string })[]): void {
  const [first, ...others] = scores;
  if (!first) throw new Error("nobody was measured");
  const fastest = Math.max(...others.map(({ perSecond }) => perSecond));
  const leanest = Math.min(...others.map(({ cpuMicrosEach }) => cpuMicrosEach));
  console.log(`\n${title}: ${CALLERS} connections, median of ${ROUNDS} rounds of ${ROUND_MS / 1000} s`);
  printTable(
    ["", "answers/s", "p50 ms", "p99 ms", "CPU µs each"],
    [
      ...scores.map(({ label, perSecond, p50Ms, p99Ms, cpuMicrosEach }) => [
        label,
        rate(perSecond),
        ms(p50Ms),
        ms(p99Ms),
        cpuMicrosEach.toFixed(0),
      ]),
      [
        "ratio to the better of the others",
        `${(first.perSecond / fastest).toFixed(2)} x`,
        "",
        "",
        `${(leanest / first.cpuMicrosEach).toFixed(2)} x`,
      ],
    ],
  );
}

async function expectAnswer(contest: Contest, contender: Contender): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${contender.port}${contender.path}`, {
    method: "POST",
    headers: headersOf(contest, contender),
    body: JSON.stringify(contest.body),
  });
  const text = await response.text();
  if (response.status !== 200 || !text.includes(contest.expected))
    throw new Error(`${contender.label} answered ${text}`);
}

function headersOf({ headers }: Contest, { key }: Contender): Record<string, string> {
  return {
    ...headers,
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
}

async function measure(
  loader: Child<LoadOrder, LoadResult>,
  contest: Contest,
  contender: Contender,
): Promise<Score> {
  const before = await contender.cpuSeconds();
  const order = {
    port: contender.port,
    connections: CALLERS,
    forMs: ROUND_MS,
    requests: [requestText(contest, contender)],
    status: 200,
  };
  const { error, ...load } = await loader.ask(order);
  if (error !== undefined) throw new Error(error);
  const answers = (load.perSecond * ROUND_MS) / 1000;
  return { ...load, cpuMicrosEach: (((await contender.cpuSeconds()) - before) * 1e6) / answers };
}

function requestText(contest: Contest, contender: Contender): string {
  const body = JSON.stringify(contest.body);
  const headers = {
    host: "localhost",
    ...headersOf(contest, contender),
    "content-length": String(body.length),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${contender.path} HTTP/1.1`, ...lines, "", body].join("\r\n");
}

function medianScore(rounds: readonly Score[]): Score {
  return { ...medianLoad(rounds), cpuMicrosEach: median(rounds.map(({ cpuMicrosEach }) => cpuMicrosEach)) };
}
