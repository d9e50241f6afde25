// Positions of steps and lines, over random graphs.
import fc from "fast-check";
import { expect, test } from "vitest";
import { layOut } from "../../gateway/site/studio/workflow-layout.ts";

/** Up to twenty steps in any order, each of which needs some of the earlier ones in another order. */
const graphs = fc
  .array(fc.array(fc.nat({ max: 19 }), { maxLength: 4 }), { minLength: 1, maxLength: 20 })
  .chain((wanted) => {
    const steps = wanted.map((before, i) => ({
      id: `s${i}`,
      needs: [...new Set(before.filter((j) => j < i))].map((j) => `s${j}`),
    }));
    return fc.shuffledSubarray(steps, { minLength: steps.length });
  });

/** The start and end of the path. */
function endsOf(path: string): [number, number][] {
  const [, x = 0, y = 0] = /^M([\d.]+) ([\d.]+)C/.exec(path)?.map(Number) ?? [];
  const [endX = 0, endY = 0] = (path.split("H")[0] ?? "").split(" ").slice(-2).map(Number);
  return [
    [x, y],
    [endX, endY],
  ];
}

test("every step is drawn once, in a column after all its needs, and every line connects neighbouring columns", () => {
  fc.assert(
    fc.property(graphs, (steps) => {
      const { columns, lines, width, height } = layOut(steps);
      const columnOf = new Map(
        columns.flatMap((slots, i) => slots.flatMap(({ kind, id }) => (kind === "step" ? [[id, i]] : []))),
      );
      expect([...columnOf.keys()].toSorted()).toEqual(steps.map(({ id }) => id).toSorted());
      for (const { id, needs } of steps)
        for (const need of needs) expect(columnOf.get(need)).toBeLessThan(columnOf.get(id) ?? 0);
      expect(lines.filter(({ isEnd }) => isEnd)).toHaveLength(steps.flatMap(({ needs }) => needs).length);
      for (const { path } of lines) {
        const [[x, y], [endX, endY]] = endsOf(path) as [[number, number], [number, number]];
        // Across the gap between two columns only: it cannot run behind a step.
        expect(endX - x).toBe(4);
        expect(x % 18).toBe(14);
        for (const at of [y, endY]) expect(at > 0 && at < height, path).toBe(true);
        expect(endX).toBeLessThan(width);
      }
    }),
    { numRuns: 200 },
  );
});

test("a line that crosses a column has one lane in it, for any number of target steps", () => {
  const steps = [
    { id: "a", needs: [] },
    { id: "b", needs: ["a"] },
    { id: "c", needs: ["a", "b"] },
    { id: "d", needs: ["a", "b"] },
  ];
  expect(layOut(steps).columns).toEqual([
    [{ kind: "step", id: "a" }],
    [
      { kind: "step", id: "b" },
      { kind: "lane", id: "a" },
    ],
    [
      { kind: "step", id: "c" },
      { kind: "step", id: "d" },
    ],
  ]);
});
