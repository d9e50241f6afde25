// A workflow as its page builds it: from the request of a job, from an earlier workflow, or from the submitted form; and its request.
import { randomUUID } from "node:crypto";
import type { Issue } from "../../../proto/codes.ts";
import { idempotencyKeySchema, type JobResource, type Modality } from "../../../proto/resources/job.ts";
import {
  MAX_STEPS,
  type WorkflowResource,
  type WorkflowStepResource,
} from "../../../proto/resources/workflow.ts";
import type { WorkflowBody } from "../../answers/code-samples.ts";
import { Form } from "../session/forms.ts";
import { inputParamsOf } from "./ask-inputs.ts";
import { type Draft, issuesByField, type Model, newDraft, readDraft, toBody, withParam } from "./draft.ts";

export type StepDraft = {
  /** Its name within the workflow. */
  readonly id: string;
  readonly model: Model;
  readonly draft: Draft;
  /** Earlier steps that it waits for, in addition to those whose files it takes. */
  readonly after: readonly string[];
};

export type WorkflowDraft = {
  /** Names this press of the button, so that a second press makes no second workflow. */
  readonly idempotencyKey: string;
  /** Kept in the metadata, for people. */
  readonly name: string;
  /** Each uses earlier steps only. */
  readonly steps: readonly StepDraft[];
};

const STEP_NAMES: Readonly<Record<Modality, string>> = { image: "picture", video: "clip", audio: "sound" };

export function emptyWorkflow(): WorkflowDraft {
  return { idempotencyKey: randomUUID(), name: "", steps: [] };
}

/** The first step makes the same as the job, with the same seed. */
export function workflowOfJob(job: JobResource, model: Model): WorkflowDraft {
  const first = {
    id: newId([], model),
    model,
    draft: newDraft(model, { ...job, callback: null }),
    after: [],
  };
  return { ...emptyWorkflow(), steps: [first] };
}

/** The request of an earlier workflow, without its seeds. Steps whose model is no longer offered are left out. */
export function workflowAgain(
  { steps, metadata }: WorkflowResource,
  jobs: readonly JobResource[],
  models: readonly Model[],
): WorkflowDraft {
  const found = inOrder(steps).flatMap((step): StepDraft[] => {
    const job = jobs.find(({ job_id }) => job_id === step.job_id);
    const model = models.find(({ model_slug }) => model_slug === step.model_slug);
    if (!job || !model) return [];
    const { seed: _, ...asked } = job.params;
    const params = Object.fromEntries(
      Object.entries(asked).map(([name, value]) => [name, referenceTo(value, step, steps) ?? value]),
    );
    const draft = newDraft(model, { prompt: job.prompt, params, callback: null });
    const givers = giversOf({ model, draft });
    return [{ id: step.id, model, draft, after: step.needs.filter((need) => !givers.includes(need)) }];
  });
  return { ...emptyWorkflow(), name: metadata["name"] ?? "", steps: withKnownSteps(found) };
}

/** Fields of a step begin with its number and a dot. `remove` names a step that is left out. */
export function readWorkflow(form: Form, models: readonly Model[]): WorkflowDraft {
  const sentKey = idempotencyKeySchema.safeParse(form.get("idempotency_key"));
  const steps: StepDraft[] = [];
  for (let place = 0; place < MAX_STEPS; place++) {
    const own = partOf(form, `${place}.`);
    const model = models.find(({ model_slug }) => model_slug === own.get("model"));
    if (model && form.get("remove") !== String(place))
      steps.push({ id: own.get("id"), model, draft: readDraft(own, model), after: own.all("after") });
  }
  return {
    idempotencyKey: sentKey.success ? sentKey.data : randomUUID(),
    name: form.get("name").trim(),
    steps: withKnownSteps(steps),
  };
}

/** With another step, which works from the file of an earlier one if its model takes such a file, and otherwise waits for the last. */
export function withStep({ steps, ...rest }: WorkflowDraft, model: Model): WorkflowDraft {
  const source = sourceFor(model, steps);
  const last = steps.at(-1);
  const prompt = model.modality === "audio" ? "" : ((source ?? last)?.draft.prompt ?? "");
  const begun = newDraft(model, { prompt, params: {}, callback: null });
  const [input] = source
    ? inputParamsOf(model).filter(({ accepts }) => accepts.includes(source.model.modality))
    : [];
  const step = {
    id: newId(steps, model),
    model,
    draft: source && input ? withParam(begun, input.name, `step:${source.id}`) : begun,
    after: source || !last ? [] : [last.id],
  };
  return { ...rest, steps: [...steps, step] };
}

/** The last step that makes a kind of file that the model takes. */
export function sourceFor(model: Model, steps: readonly StepDraft[]): StepDraft | undefined {
  const kinds = inputParamsOf(model).flatMap(({ accepts }) => accepts);
  return steps.findLast((step) => kinds.includes(step.model.modality));
}

/** The steps whose files a step takes. */
export function giversOf({ model, draft }: Pick<StepDraft, "model" | "draft">): string[] {
  return inputParamsOf(model).flatMap(({ name }) => giverIn(draft.params.get(name)) ?? []);
}

export function toWorkflowBody({ name, steps }: WorkflowDraft): WorkflowBody {
  return {
    steps: steps.map(({ id, model, draft, after }) => ({
      id,
      ...toBody(draft, model),
      ...(after.length > 0 && { after }),
    })),
    ...(name !== "" && { metadata: { name } }),
  };
}

/** Errors of a step, by the name of its field without the number. */
export function issuesOfStep(
  issues: readonly Issue[],
  place: number,
  { model }: StepDraft,
): ReadonlyMap<string, string> {
  const own = issues.flatMap(({ path, message }) => {
    const [steps, number, ...rest] = path.split(".");
    return steps === "steps" && number === String(place) ? [{ path: rest.join("."), message }] : [];
  });
  return issuesByField(own, model);
}

function partOf(form: Form, prefix: string): Form {
  const own = form
    .entries()
    .flatMap(([name, value]): [string, string][] =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [],
    );
  return new Form(new URLSearchParams(own).toString());
}

function newId(steps: readonly StepDraft[], { modality }: Model): string {
  const name = STEP_NAMES[modality];
  const taken = new Set(steps.map(({ id }) => id));
  let id = name;
  for (let i = 2; taken.has(id); i++) id = `${name}-${i}`;
  return id;
}

function giverIn(value = ""): string | undefined {
  return /^step:([^/]*)/.exec(value)?.[1];
}

/** Without references to steps that are not there, or that come later. */
function withKnownSteps(steps: readonly StepDraft[]): StepDraft[] {
  return steps.map((step, place) => {
    const known = new Set(steps.slice(0, place).map(({ id }) => id));
    const lost = inputParamsOf(step.model).filter(({ name }) => {
      const giver = giverIn(step.draft.params.get(name));
      return giver !== undefined && !known.has(giver);
    });
    return {
      ...step,
      draft: lost.reduce((draft, { name }) => withParam(draft, name, ""), step.draft),
      after: step.after.filter((id) => known.has(id)),
    };
  });
}

/** A step comes after all that it needs. */
function inOrder(steps: readonly WorkflowStepResource[]): WorkflowStepResource[] {
  const ordered: WorkflowStepResource[] = [];
  const rest = [...steps];
  while (rest.length > 0) {
    const ready = rest.findIndex(({ needs }) => needs.every((need) => ordered.some(({ id }) => id === need)));
    ordered.push(...rest.splice(Math.max(0, ready), 1));
  }
  return ordered;
}

/** A param that was given the file of another step names that step again. */
function referenceTo(
  value: unknown,
  { needs }: WorkflowStepResource,
  steps: readonly WorkflowStepResource[],
): string | undefined {
  for (const { id, outputs } of steps.filter((step) => needs.includes(step.id))) {
    const output = outputs.findIndex(({ output_id }) => output_id === value);
    if (output !== -1) return output === 0 ? `step:${id}` : `step:${id}/${output}`;
  }
  return undefined;
}
