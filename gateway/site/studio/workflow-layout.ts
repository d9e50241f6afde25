// Where the steps of a workflow stand when it is drawn: in columns from left to right, each behind all that it needs. A line that passes a
// column has a lane of its own in it, so that none runs behind a step. In rem, as workflow.css has them.

type Step = { readonly id: string; readonly needs: readonly string[] };

/** A step, or the lane of lines that come from one and end further on. */
export type Slot = { readonly kind: "step" | "lane"; readonly id: string };
type Placed = Slot & { readonly column: number; readonly x: number; readonly y: number };

export type Line = {
  /** The step that it comes from, and those that it leads to. */
  readonly from: string;
  /** For the attribute `d` of a path. */
  readonly path: string;
  /** Whether it ends at a step, with a point. */
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
/** How far a line goes straight before it bends. */
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

/** How many steps there are before each, on the longest way to it. */
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

/** Each slot as high in its column as what leads to it is in the one before, so that few lines cross. */
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

/** Whether a line from the step goes on behind this column. */
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

/** From the right side of one slot to the left side of one in the next column. */
function between(from: Point, to: Point): string {
  const x = from.x + WIDTH;
  return `M${round(x)} ${round(from.y)}C${round(x + BEND)} ${round(from.y)} ${round(to.x - BEND)} ${round(to.y)} ${round(to.x)} ${round(to.y)}`;
}

function round(rem: number): number {
  return Math.round(rem * 1000) / 1000;
}
