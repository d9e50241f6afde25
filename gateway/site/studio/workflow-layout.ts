// Lays out the steps of a workflow in columns from left to right, each after all steps that it needs. A line that crosses a column has its
// own lane, so that no line runs behind a step. Units are rem, as in workflow.css.

type Step = { readonly id: string; readonly needs: readonly string[] };

/** A step, or a lane of lines that start at one step and end in a later column. */
export type Slot = { readonly kind: "step" | "lane"; readonly id: string };
type Placed = Slot & { readonly column: number; readonly x: number; readonly y: number };

export type Line = {
  /** The step where the lines start, and the steps where they end. */
  readonly from: string;
  /** The attribute `d` of a path. */
  readonly path: string;
  /** Whether the line ends at a step, with an arrowhead. */
  readonly isEnd: boolean;
};

export type Layout = {
  readonly columns: readonly (readonly Slot[])[];
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
};

const WIDTH = 14;
const HEIGHT = { step: 12, lane: 1.5 };
const GAP = 1.25;
const BETWEEN_COLUMNS = 4;
/** The straight part of a line before it bends. */
const BEND = 2;

export function layOut(steps: readonly Step[]): Layout {
  const depths = depthsOf(steps);
  const columns = inOrder(steps, depths);
  const heights = columns.map(heightOf);
  const height = Math.max(0, ...heights);
  const placed = columns.flatMap((slots, column) =>
    place(slots, { column, top: (height - (heights[column] ?? 0)) / 2 }),
  );
  const width = columns.length * (WIDTH + BETWEEN_COLUMNS) - BETWEEN_COLUMNS;
  return { columns, lines: linesOf(steps, depths, placed), width, height };
}

/** The number of steps before each step on the longest path. */
function depthsOf(steps: readonly Step[]): Map<string, number> {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const depths = new Map<string, number>();
  const depthOf = (id: string): number => {
    const known = depths.get(id);
    if (known !== undefined) return known;
    const depth = Math.max(-1, ...(byId.get(id)?.needs ?? []).map(depthOf)) + 1;
    depths.set(id, depth);
    return depth;
  };
  for (const { id } of steps) depthOf(id);
  return depths;
}

/** Orders the slots of a column by the positions of their predecessors, so that few lines cross. */
function inOrder(steps: readonly Step[], depths: ReadonlyMap<string, number>): Slot[][] {
  const columns: Slot[][] = [];
  for (let column = 0; column <= Math.max(-1, ...depths.values()); column++) {
    const slots: Slot[] = [
      ...steps.filter(({ id }) => depths.get(id) === column).map(({ id }) => ({ kind: "step" as const, id })),
      ...steps
        .filter(({ id }) => passes(id, column, steps, depths))
        .map(({ id }) => ({ kind: "lane" as const, id })),
    ];
    const before = columns[column - 1] ?? [];
    const heightsBefore = new Map(before.map(({ id }, i) => [id, i]));
    const sourcesOf = ({ kind, id }: Slot) =>
      kind === "lane" ? [id] : (steps.find((step) => step.id === id)?.needs ?? []);
    const wanted = (slot: Slot) => mean(sourcesOf(slot).flatMap((id) => heightsBefore.get(id) ?? []));
    columns.push(slots.toSorted((a, b) => wanted(a) - wanted(b)));
  }
  return columns;
}

/** Whether a line of the step continues after this column. */
function passes(
  from: string,
  column: number,
  steps: readonly Step[],
  depths: ReadonlyMap<string, number>,
): boolean {
  return (
    (depths.get(from) ?? 0) < column &&
    steps.some(({ id, needs }) => needs.includes(from) && (depths.get(id) ?? 0) > column)
  );
}

function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function heightOf(slots: readonly Slot[]): number {
  return slots.reduce((sum, { kind }) => sum + HEIGHT[kind], GAP * Math.max(0, slots.length - 1));
}

function place(slots: readonly Slot[], { column, top }: { column: number; top: number }): Placed[] {
  let y = top;
  return slots.map((slot) => {
    const middle = y + HEIGHT[slot.kind] / 2;
    y += HEIGHT[slot.kind] + GAP;
    return { ...slot, column, x: column * (WIDTH + BETWEEN_COLUMNS), y: middle };
  });
}

function linesOf(
  steps: readonly Step[],
  depths: ReadonlyMap<string, number>,
  placed: readonly Placed[],
): Line[] {
  const at = (id: string, column: number) =>
    placed.find((slot) => slot.id === id && slot.column === column) ?? { x: 0, y: 0 };
  const lanes = placed.filter(({ kind }) => kind === "lane");
  return [
    ...lanes.map((lane) => ({
      from: lane.id,
      path: `${between(at(lane.id, lane.column - 1), lane)}H${round(lane.x + WIDTH)}`,
      isEnd: false,
    })),
    ...steps.flatMap(({ id, needs }) =>
      needs.map((from) => {
        const column = depths.get(id) ?? 0;
        return { from, path: between(at(from, column - 1), at(id, column)), isEnd: true };
      }),
    ),
  ];
}

type Point = { readonly x: number; readonly y: number };

/** From the right side of a slot to the left side of a slot in the next column. */
function between(from: Point, to: Point): string {
  const x = from.x + WIDTH;
  return `M${round(x)} ${round(from.y)}C${round(x + BEND)} ${round(from.y)} ${round(to.x - BEND)} ${round(to.y)} ${round(to.x)} ${round(to.y)}`;
}

function round(rem: number): number {
  return Math.round(rem * 1000) / 1000;
}
