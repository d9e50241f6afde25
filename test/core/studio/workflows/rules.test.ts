// Every combination of phase and standing, and random graphs that are run to their end.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { graphOf, longestWays } from "../../../../core/studio/workflows/graph-rules.ts";
import {
  endOf,
  type Phase,
  type Move,
  PHASES,
  phaseOf,
  movesOf,
  type Standing,
  STANDINGS,
} from "../../../../core/studio/workflows/rules.ts";

/** The move of a lone step without needs, in each phase. Other steps determine the phase. */
const EXPECTED: Record<Phase, Partial<Record<Standing, Move>>> = {
  running: { blocked: "ready" },
  failing: { blocked: "release", waiting: "release" },
  cancelling: { blocked: "release", waiting: "release", running: "stop" },
};
const maker: Record<Phase, Standing> = { running: "completed", failing: "failed", cancelling: "completed" };

describe("a step of a workflow", () => {
  const cases = PHASES.flatMap((phase) => STANDINGS.map((standing) => [phase, standing] as const)).filter(
    // It would change the phase itself.
    ([phase, standing]) => phase !== "running" || (standing !== "failed" && standing !== "cancelled"),
  );
  test.each(cases)("is moved as the phase says: %s, and the step is %s", (phase, standing) => {
    const steps = [
      { standing: maker[phase], needs: [] },
      { standing, needs: [] },
    ];
    expect(phaseOf(steps, phase === "cancelling")).toBe(phase);
    const move = EXPECTED[phase][standing];
    expect(movesOf(steps, phase === "cancelling")).toEqual(move ? [{ place: 1, move }] : []);
  });

  test.each(
    STANDINGS.filter(
      (standing) => standing !== "completed" && standing !== "failed" && standing !== "cancelled",
    ),
  )("waits until all its needs are completed: one of two is %s", (standing) => {
    const steps = [
      { standing: "completed", needs: [] },
      { standing, needs: standing === "blocked" ? [0, 2] : [] },
      { standing: "blocked", needs: [0, 1] },
    ] as const;
    expect(movesOf(steps, false)).toEqual([]);
  });
});

test.each([
  [["completed", "completed"], "completed"],
  [["completed", "failed"], "failed"],
  [["cancelled", "failed"], "failed"],
  [["completed", "cancelled"], "cancelled"],
  [["completed", "running"], undefined],
  [["failed", "stopping"], undefined],
  [["failed", "fixed"], undefined],
  [["failed", "waiting"], undefined],
  [["completed", "blocked"], undefined],
] as const)("steps that are %j end the workflow as %s", (standings, end) => {
  expect(endOf(standings.map((standing) => ({ standing, needs: [] })))).toBe(end);
});

/** The needs of each step among the earlier ones. */
const graphs = fc
  .integer({ min: 2, max: 20 })
  .chain((count) =>
    fc.tuple(
      ...Array.from({ length: count }, (_, place) =>
        place === 0 ? fc.constant<number[]>([]) : fc.uniqueArray(fc.nat(place - 1), { maxLength: 4 }),
      ),
    ),
  );

test("every graph ends for any results of its steps: none starts before its needs, and none is moved twice", () => {
  const fates = fc.array(fc.constantFrom("completed", "failed", "cancelled"), {
    minLength: 60,
    maxLength: 60,
  });
  fc.assert(
    fc.property(graphs, fates, fc.option(fc.nat(30)), (graph, ends, cancelledAfter) => {
      const steps = graph.map((needs) => ({
        standing: (needs.length === 0 ? "waiting" : "blocked") as Standing,
        needs,
      }));
      const moved = new Map<number, string[]>();
      let turns = 0;
      for (; endOf(steps) === undefined && turns < 200; turns++) {
        const isCancelling = cancelledAfter !== null && turns >= cancelledAfter;
        for (const { place, move } of movesOf(steps, isCancelling)) {
          const step = steps[place];
          if (!step) throw new Error("a move is of a step");
          moved.set(place, [...(moved.get(place) ?? []), move]);
          if (move === "ready")
            expect(step.needs.every((need) => steps[need]?.standing === "completed")).toBe(true);
          step.standing = move === "ready" ? "waiting" : move === "release" ? "cancelled" : "stopping";
        }
        expect(movesOf(steps, isCancelling)).toEqual([]);
        // One step continues: it starts, or ends.
        const next = steps.find(({ standing }) => ["waiting", "running", "stopping"].includes(standing));
        if (next) next.standing = next.standing === "waiting" ? "running" : (ends[turns % 60] as Standing);
      }
      expect(turns).toBeLessThan(200);
      for (const moves of moved.values()) expect(new Set(moves).size).toBe(moves.length);
    }),
    { numRuns: 200 },
  );
});

describe("a workflow's graph", () => {
  const step = (id: string, after: string[] = [], references: string[] = []) => ({
    id,
    after,
    references: references.map((name) => ({ param: "image", step: name, output: 0 })),
  });

  test("lists the needs of each step, by order and by data, each once", () => {
    expect(graphOf([step("c", ["b"], ["a", "b"]), step("a"), step("b", ["a"])])).toEqual({
      graph: [[1, 2], [], [1]],
    });
  });

  test.each([
    ["a step that needs itself", [step("a", ["a"]), step("b")], "steps.0", "waits for itself: a needs a"],
    [
      "a cycle by data",
      [step("a", [], ["c"]), step("b", [], ["a"]), step("c", ["b"])],
      "steps.0",
      "waits for itself: a needs c needs b needs a",
    ],
    [
      "a cycle after a step",
      [step("x", ["a"]), step("a", ["b"]), step("b", ["a"])],
      "steps.1",
      "waits for itself: a needs b needs a",
    ],
    ["a name given twice", [step("a"), step("a")], "steps.1.id", "is the name of another step: a"],
    [
      "an order after an unknown step",
      [step("a", ["nobody"]), step("b")],
      "steps.0.after.0",
      "names the step nobody, which does not exist",
    ],
    [
      "an output of an unknown step",
      [step("a"), step("b", [], ["nobody"])],
      "steps.1.params.image",
      "names the step nobody, which does not exist",
    ],
  ] as const)("is refused with %s", (_what, steps, path, message) => {
    expect(graphOf(steps)).toEqual({ issues: [{ path, message }] });
  });

  test("has a longest path to each of its steps", () => {
    expect(longestWays([[], [0], [0, 1], []], [1, 2, 3, 10])).toEqual([1, 3, 6, 10]);
  });
});
