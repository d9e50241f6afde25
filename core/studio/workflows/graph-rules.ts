// The graph of a request: which step needs which, whether it is valid, and the longest path through it. This file is pure.
import type { Issue } from "../../../proto/codes.ts";

/** `step:ID` or `step:ID/N` */
const REFERENCE = /^step:([a-z0-9_-]{1,32})(?:\/(\d{1,3}))?$/;
const REFERENCE_BEGINS = "step:";

/** Which output of which step a param asks for. */
export type Reference = { readonly param: string; readonly step: string; readonly output: number };

/** A step of a request, as the graph sees it. */
export type GraphStep = {
  readonly id: string;
  readonly after: readonly string[];
  readonly references: readonly Reference[];
};

/** The positions that each step needs, in ascending order. */
export type Graph = readonly (readonly number[])[];

export function isReference(value: unknown): value is string {
  return typeof value === "string" && value.startsWith(REFERENCE_BEGINS);
}

/** Undefined if it is malformed. */
export function readReference(param: string, value: string): Reference | undefined {
  const [, step, output = "0"] = REFERENCE.exec(value) ?? [];
  return step === undefined ? undefined : { param, step, output: Number(output) };
}

/** The graph, or what is wrong with it: names given twice, steps that do not exist, steps that wait for themselves. */
export function graphOf(steps: readonly GraphStep[]): { graph: Graph } | { issues: Issue[] } {
  // Of two steps with one name, the first has it.
  const places = new Map(steps.map(({ id }, place) => [id, place] as const).reverse());
  const issues: Issue[] = steps.flatMap((step, place) => [
    ...(places.get(step.id) === place
      ? []
      : [{ path: `steps.${place}.id`, message: `is the name of another step: ${step.id}` }]),
    ...unknownSteps(step, place, places),
  ]);
  if (issues.length > 0) return { issues };
  const graph = steps.map(({ after, references }) =>
    [...new Set([...after, ...references.map(({ step }) => step)])]
      .flatMap((id) => places.get(id) ?? [])
      .sort((a, b) => a - b),
  );
  const circle = findCircle(graph);
  if (!circle) return { graph };
  const names = circle.map((place) => steps[place]?.id ?? "");
  const message = `waits for itself: ${[...names, names[0]].join(" needs ")}`;
  return { issues: [{ path: `steps.${circle[0]}`, message }] };
}

function unknownSteps(
  { after, references }: GraphStep,
  place: number,
  places: ReadonlyMap<string, number>,
): Issue[] {
  const named = [
    ...after.map((id, i) => ({ id, path: `steps.${place}.after.${i}` })),
    ...references.map(({ step: id, param }) => ({ id, path: `steps.${place}.params.${param}` })),
  ];
  return named.flatMap(({ id, path }) =>
    places.has(id) ? [] : [{ path, message: `names the step ${id}, which does not exist` }],
  );
}

/** Steps of which each needs the next and the last one the first; undefined if there are none. */
function findCircle(graph: Graph): number[] | undefined {
  const sound = new Set<number>();
  const walk = (place: number, way: readonly number[]): number[] | undefined => {
    if (sound.has(place)) return undefined;
    const begun = way.indexOf(place);
    if (begun >= 0) return way.slice(begun);
    for (const need of graph[place] ?? []) {
      const circle = walk(need, [...way, place]);
      if (circle) return circle;
    }
    sound.add(place);
    return undefined;
  };
  for (const place of graph.keys()) {
    const circle = walk(place, []);
    if (circle) return circle;
  }
  return undefined;
}

/** The longest path through the graph that ends with each step, if each takes so long. */
export function longestWays(graph: Graph, takes: readonly number[]): number[] {
  const known = new Map<number, number>();
  const way = (place: number): number => {
    const earlier = known.get(place);
    if (earlier !== undefined) return earlier;
    const before = Math.max(0, ...(graph[place] ?? []).map(way));
    const whole = before + (takes[place] ?? 0);
    known.set(place, whole);
    return whole;
  };
  return graph.map((_needs, place) => way(place));
}
