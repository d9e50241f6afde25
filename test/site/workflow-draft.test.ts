// The draft of a workflow, without a service: what an earlier workflow, a job and a form become.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Form } from "../../gateway/site/session/forms.ts";
import type { Model } from "../../gateway/site/studio/draft.ts";
import {
  emptyWorkflow,
  readWorkflow,
  toWorkflowBody,
  workflowAgain,
  withStep,
} from "../../gateway/site/studio/workflow-draft.ts";
import { layOut } from "../../gateway/site/studio/workflow-layout.ts";
import type { JobResource } from "../../proto/resources/job.ts";
import type { WorkflowResource } from "../../proto/resources/workflow.ts";

function model(model_slug: string, modality: Model["modality"], takes?: "image"): Model {
  const image = { type: "string", format: "atelier-input", "x-accept": takes };
  const properties = { seed: { type: "integer" }, ...(takes && { image }) };
  return {
    model_slug,
    name: model_slug,
    modality,
    params_schema: { type: "object", properties },
  } as unknown as Model;
}
const picture = model("canvas", "image");
const drift = model("drift", "video", "image");
const voice = model("voice", "audio");
const models = [picture, drift, voice];

describe("a workflow as its page builds it", () => {
  test("a step works from the last file that its model takes, and otherwise waits for the last step", () => {
    const built = [picture, voice, drift, picture].reduce(withStep, emptyWorkflow());
    expect(toWorkflowBody(built).steps).toEqual([
      { id: "picture", modality: "image", model_slug: "canvas", prompt: "", params: {} },
      { id: "sound", modality: "audio", model_slug: "voice", prompt: "", params: {}, after: ["picture"] },
      { id: "clip", modality: "video", model_slug: "drift", prompt: "", params: { image: "step:picture" } },
      { id: "picture-2", modality: "image", model_slug: "canvas", prompt: "", params: {}, after: ["clip"] },
    ]);
  });

  test("is read from its form; a removed step leaves no reference behind", () => {
    const step = (place: number, values: Record<string, string>) =>
      Object.entries(values).map(([name, value]): [string, string] => [`${place}.${name}`, value]);
    const sent: [string, string][] = [
      ["name", " Boat "],
      ...step(0, { model: "canvas", id: "a", prompt: "x\r\ny", "param.seed": "7" }),
      ...step(1, { model: "gone", id: "b", prompt: "left out" }),
      ...step(2, { model: "drift", id: "c", prompt: "z", "param.image": "step:a", after: "b" }),
    ];
    const read = (more: [string, string][]) =>
      toWorkflowBody(readWorkflow(new Form(new URLSearchParams([...sent, ...more]).toString()), models));
    const clip = { id: "c", modality: "video", model_slug: "drift", prompt: "z" };
    expect(read([])).toEqual({
      metadata: { name: "Boat" },
      steps: [
        { id: "a", modality: "image", model_slug: "canvas", prompt: "x\ny", params: { seed: 7 } },
        { ...clip, params: { image: "step:a" } },
      ],
    });
    expect(read([["remove", "0"]]).steps).toEqual([{ ...clip, params: {} }]);
  });

  test("is rebuilt from an earlier one: in an order that works, with its references, without its seeds", () => {
    const step = (id: string, model_slug: string, needs: string[], outputs: string[] = []) => ({
      id,
      job_id: `job_${id}`,
      model_slug,
      needs,
      outputs: outputs.map((output_id) => ({ output_id })),
    });
    const job = (id: string, params: object) => ({ job_id: `job_${id}`, prompt: id, params });
    const earlier = {
      metadata: { name: "Boat", order: "7" },
      steps: [
        step("clip", "drift", ["first", "talk"]),
        step("talk", "voice", ["first"]),
        step("first", "canvas", [], ["out_1", "out_2"]),
        step("old", "gone", ["first"]),
        step("other", "drift", ["old"]),
      ],
    } as unknown as WorkflowResource;
    const jobs = [
      job("clip", { image: "out_2", seed: 4 }),
      job("talk", {}),
      job("first", { seed: 5 }),
      job("old", {}),
      job("other", { image: "step:old" }),
    ] as JobResource[];
    expect(toWorkflowBody(workflowAgain(earlier, jobs, models))).toEqual({
      metadata: { name: "Boat" },
      steps: [
        { id: "first", modality: "image", model_slug: "canvas", prompt: "first", params: {} },
        { id: "talk", modality: "audio", model_slug: "voice", prompt: "talk", params: {}, after: ["first"] },
        {
          id: "clip",
          modality: "video",
          model_slug: "drift",
          prompt: "clip",
          params: { image: "step:first/1" },
          after: ["talk"],
        },
        { id: "other", modality: "video", model_slug: "drift", prompt: "other", params: {} },
      ],
    });
  });
});

// Positions of steps and lines, over random graphs.
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
