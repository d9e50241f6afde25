// Statistics and their output.

/** The value below which the fraction `q` of the samples lies. */
export function quantile(samples: readonly number[], q: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}

/** Rows of text below a head, with wide enough columns. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join("  ");
  console.log(line(head));
  console.log(widths.map((width) => "-".repeat(width)).join("  "));
  for (const row of rows) console.log(line(row));
}

export function rate(value: number): string {
  return Math.round(value).toLocaleString("en");
}

export function ms(value: number): string {
  return value.toFixed(value < 10 ? 2 : 1);
}

export type Load = { perSecond: number; p50Ms: number; p99Ms: number };

/** `callers` callers, each repeating its call, for `forMs` or until there were `most` calls. `call` gets a counter over all calls. */
export async function drive(
  callers: number,
  forMs: number,
  call: (i: number) => Promise<unknown>,
  most = Number.POSITIVE_INFINITY,
): Promise<Load> {
  const latencies: number[] = [];
  const start = performance.now();
  let i = 0;
  const caller = async () => {
    while (performance.now() - start < forMs && i < most) {
      const before = performance.now();
      await call(i++);
      latencies.push(performance.now() - before);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const seconds = (performance.now() - start) / 1000;
  return {
    perSecond: latencies.length / seconds,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
  };
}

/** The medians of rounds of one contender. */
export function medianLoad(rounds: readonly Load[]): Load {
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    p50Ms: median(rounds.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
  };
}

/** Measures all sides in each round, so that other load slows all of them. The first round warms up. */
export async function byTurns<Side, Score>(
  sides: readonly Side[],
  rounds: number,
  measure: (side: Side) => Promise<Score>,
): Promise<Score[][]> {
  const scores = sides.map((): Score[] => []);
  for (let round = 0; round <= rounds; round++)
    for (const [n, side] of sides.entries()) {
      const score = await measure(side);
      if (round > 0) scores[n]?.push(score);
    }
  return scores;
}

/** A measurement's sizes from its arguments, such as 1000000 or 1_000_000. Throws when one is not a whole number above 0. */
export function readSizes(given: readonly string[]): number[] {
  const sizes = given.map((size) => Number(size.replaceAll(/[_,]/g, "")));
  if (!sizes.every((size) => Number.isSafeInteger(size) && size > 0))
    throw new Error("sizes are whole numbers above 0");
  return sizes;
}

/** A contender's name, and one round of it. */
export type Side = readonly [name: string, round: () => Promise<Load>];

/**
 * Measures the sides in turn, and prints the medians of each. `ratio` heads a column with how many times as many the first makes: round by
 * round, so that other load slows all sides.
 */
export async function compareLoads(
  sides: readonly Side[],
  rounds: number,
  { of = "", unit, ratio }: { of?: string; unit: string; ratio?: string },
): Promise<void> {
  const loads = await byTurns(sides, rounds, ([, round]) => round());
  const ratioOf = (own: readonly Load[]) =>
    median(own.map(({ perSecond }, round) => (loads[0]?.[round]?.perSecond ?? Number.NaN) / perSecond));
  const rows = loads.map((own, n) => {
    const { perSecond, p50Ms, p99Ms } = medianLoad(own);
    const ratios = ratio === undefined ? [] : [n === 0 ? "" : `${ratioOf(own).toFixed(2)} x`];
    return [sides[n]?.[0] ?? "", rate(perSecond), ms(p50Ms), ms(p99Ms), ...ratios];
  });
  printTable([of, unit, "p50 ms", "p99 ms", ...(ratio === undefined ? [] : [ratio])], rows);
}
