// Random workflow graphs, and the faults of an ended one.
import fc from "fast-check";
import type { WorkflowRequest, WorkflowResource } from "../../../../proto/resources/workflow.ts";

/** A step: the earlier steps whose pictures it uses, those that it only follows, and whether it fails. */
export type DrawnStep = {
  readonly gives: readonly number[];
  readonly after: readonly number[];
  readonly fails: boolean;
};
export type DrawnWorkflow = {
  readonly steps: readonly DrawnStep[];
  readonly cancelledAfterMs: number | null;
};

const step = (place: number, failsOneIn: number): fc.Arbitrary<DrawnStep> => {
  const before = (maxLength: number) =>
    place === 0 ? fc.constant<number[]>([]) : fc.uniqueArray(fc.nat(place - 1), { maxLength });
  return fc.record({
    gives: before(2),
    after: before(1),
    fails: fc.nat(failsOneIn - 1).map((n) => n === 0),
  });
};

/** A graph of 2 to `most` steps; about one in five is cancelled, within this many milliseconds. */
export function drawnWorkflow({
  most,
  withinMs,
  failsOneIn = 20,
}: {
  most: number;
  withinMs: number;
  failsOneIn?: number;
}): fc.Arbitrary<DrawnWorkflow> {
  return fc.record({
    steps: fc
      .integer({ min: 2, max: most })
      .chain((count) => fc.tuple(...Array.from({ length: count }, (_, place) => step(place, failsOneIn)))),
    cancelledAfterMs: fc.option(fc.nat(withinMs), { freq: 5 }),
  });
}

/** Its prompts identify each step and those that fail. */
export function toRequest({ steps }: DrawnWorkflow, name: string, model: string): WorkflowRequest {
  return {
    steps: steps.map(({ gives, after, fails }, place) => ({
      id: `s${place}`,
      modality: "image",
      model_slug: model,
      prompt: promptOf(name, place, fails),
      params: Object.fromEntries(gives.map((from, n) => [`image_${n}`, `step:s${from}`])),
      after: after.map((other) => `s${other}`),
    })),
  };
}

export function promptOf(name: string, place: number, fails: boolean): string {
  return `${fails ? "bad" : "good"} ${name} ${place}`;
}

/** The params schema of a model that takes two pictures. */
export const TAKES_PICTURES = {
  type: "object",
  properties: Object.fromEntries(
    [0, 1].map((n) => [`image_${n}`, { type: "string", format: "atelier-input", "x-accept": "image" }]),
  ),
  additionalProperties: false,
};

/** `calls` counts the provider's calls by prompt. */
export function whatIsWrong(
  drawn: DrawnWorkflow,
  name: string,
  workflow: WorkflowResource,
  calls: (prompt: string) => number,
): string[] {
  const states = workflow.steps.map(({ state }) => state);
  const has = (state: string) => states.some((one) => one === state);
  const expected = has("failed") ? "failed" : has("cancelled") ? "cancelled" : "completed";
  const wrong = workflow.state === expected ? [] : [`${name} is ${workflow.state} with ${states.join(" ")}`];
  const charged = workflow.steps.filter(({ state }) => state === "completed").length;
  if (workflow.credits_charged !== charged * 10) wrong.push(`${name} cost ${workflow.credits_charged}`);
  if (drawn.cancelledAfterMs === null && has("cancelled") && !has("failed"))
    wrong.push(`${name} was cancelled by nobody`);
  for (const [place, { gives, after, fails }] of drawn.steps.entries()) {
    const asked = calls(promptOf(name, place, fails));
    const began = workflow.steps[place]?.started_at !== null;
    const needed = [...gives, ...after].every((need) => states[need] === "completed");
    if (asked > 1) wrong.push(`${name} ${place} was asked for ${asked} times`);
    if (began && !needed) wrong.push(`${name} ${place} began before its needs`);
    if (asked > 0 && !began) wrong.push(`${name} ${place} was asked for and never began`);
    if (fails && states[place] === "completed") wrong.push(`${name} ${place} completed, and was to fail`);
  }
  return wrong;
}
