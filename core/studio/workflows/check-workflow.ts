// Checks a workflow as a whole against the models that it names: the graph, each step as a single request is checked, and what steps pass
// to each other. Reads and writes nothing.
import { AppError, type Issue } from "../../../proto/codes.ts";
import { invalidRequest } from "../../../proto/resources/issues.ts";
import type { JobRequest, Modality } from "../../../proto/resources/job.ts";
import type { WorkflowRequest, WorkflowStepRequest } from "../../../proto/resources/workflow.ts";
import { checkCallbackUrl } from "../../base/outbound/address.ts";
import type { App } from "../../kernel/app.ts";
import type { ModelDoc } from "../../kernel/definitions.ts";
import { type Checked, checkRequest } from "../jobs/check-request.ts";
import { inputParamsOf } from "../models/input-params.ts";
import {
  type Graph,
  graphOf,
  isReference,
  longestWays,
  readReference,
  type Reference,
} from "./graph-rules.ts";
import type { StepInput } from "./store.ts";

export type CheckedStep = {
  readonly request: JobRequest;
  readonly checked: Checked;
  readonly needs: readonly number[];
  readonly inputs: readonly StepInput[];
};

export type CheckedWorkflow = {
  readonly graph: Graph;
  readonly steps: readonly CheckedStep[];
  /** Of all steps. */
  readonly credits: number;
  /** Along the longest path. */
  readonly estimatedSeconds: number;
};

/** Stands for an output that is not made yet, if a model's schema requires the id of one. */
const PLACEHOLDER = `out_${"0".repeat(26)}`;

type Models = ReadonlyMap<string, ModelDoc>;

/** Throws the errors of a single request, naming the step, and invalid_request for an invalid graph. */
export function checkWorkflow(app: App, request: WorkflowRequest, models: Models): CheckedWorkflow {
  const { steps, callback_url: url } = request;
  const refused = url === undefined ? undefined : checkCallbackUrl(app.config, url);
  if (refused) throw refused;
  const references = steps.map((step, place) => referencesOf(step, place, models));
  const found = graphOf(
    steps.map(({ id, after = [] }, place) => ({ id, after, references: references[place] ?? [] })),
  );
  if ("issues" in found) throw invalidRequest(found.issues);
  const { graph } = found;
  const places = new Map(steps.map(({ id }, place) => [id, place]));
  const checked = steps.map((step, place): CheckedStep => {
    const own = references[place] ?? [];
    const asked = toRequest(step, request);
    const params = asked.params ?? {};
    const whole = withParams(asked, { ...params, ...placeholders(own) });
    const result = checkRequest(app, whole, models);
    if (result instanceof AppError) throw inStep(result, step, place);
    const kinds = inputParamsOf(result.model);
    return {
      request: asked,
      checked: { ...result, params: { ...result.params, ...pick(params, own) } },
      needs: graph[place] ?? [],
      inputs: own.map(({ param, step: id, output }) => ({
        param,
        step: places.get(id) ?? 0,
        output,
        kinds: kinds.get(param) ?? [],
      })),
    };
  });
  const issues = checked.flatMap((step, place) => wrongInputs(step, place, checked));
  if (issues.length > 0) throw invalidRequest(issues);
  const ways = longestWays(
    graph,
    checked.map((step) => step.checked.model.estimated_seconds),
  );
  return {
    graph,
    steps: checked,
    credits: checked.reduce((sum, step) => sum + step.checked.credits, 0),
    estimatedSeconds: Math.max(...ways),
  };
}

/** The outputs of other steps that a step's file params name. An unknown model needs nothing, and is refused later. */
function referencesOf(
  { model_slug: slug, params = {} }: WorkflowStepRequest,
  place: number,
  models: Models,
): Reference[] {
  const model = models.get(slug);
  const asked = [...(model ? inputParamsOf(model).keys() : [])].flatMap((param) => {
    const value = params[param];
    return isReference(value) ? [{ param, reference: readReference(param, value) }] : [];
  });
  const wrong = asked.filter(({ reference }) => !reference);
  if (wrong.length > 0)
    throw invalidRequest(
      wrong.map(({ param }) => ({
        path: `steps.${place}.params.${param}`,
        message: "must be step:ID, or step:ID/N for its output N from 0",
      })),
    );
  return asked.flatMap(({ reference }) => reference ?? []);
}

function placeholders(references: readonly Reference[]): Record<string, string> {
  return Object.fromEntries(references.map(({ param }) => [param, PLACEHOLDER]));
}

function pick(params: Readonly<Record<string, unknown>>, references: readonly Reference[]) {
  return Object.fromEntries(references.map(({ param }) => [param, params[param]]));
}

/** The request of a single job. */
function toRequest(step: WorkflowStepRequest, whole: WorkflowRequest): JobRequest {
  const { id: _id, after: _after, ...request } = step;
  const { callback_url, callback_on_steps } = whole;
  return { ...request, ...(callback_on_steps && callback_url !== undefined && { callback_url }) };
}

function withParams(request: JobRequest, params: Record<string, unknown>): JobRequest {
  return Object.keys(params).length === 0 ? request : { ...request, params };
}

/** What is wrong with the outputs that a step is to be given. */
function wrongInputs(step: CheckedStep, place: number, all: readonly CheckedStep[]): Issue[] {
  return step.inputs.flatMap(({ param, step: from, output, kinds }) => {
    const giver = all[from];
    if (!giver) return [];
    const path = `steps.${place}.params.${param}`;
    const { modality, _id: slug } = giver.checked.model;
    if (!kinds.includes(modality))
      return [{ path, message: `takes ${kinds.join(" or ")}, and ${slug} makes ${modality}` }];
    const count = outputsOf(giver);
    return count !== undefined && output >= count
      ? [{ path, message: `asks for output ${output}, and that step makes ${count}, counted from 0` }]
      : [];
  });
}

/** How many outputs a step makes; undefined if only its model knows. */
function outputsOf({ checked: { model, params } }: CheckedStep): number | undefined {
  const single: readonly Modality[] = ["video", "audio"];
  if (single.includes(model.modality)) return 1;
  const count = model.per === "image" || model.per === "megapixel" ? (params["count"] ?? 1) : undefined;
  return typeof count === "number" ? count : undefined;
}

/** The same error, naming its step. */
export function inStep(error: AppError, { id }: { id: string }, place: number): AppError {
  const { code, message, hint, issues, retryAfterSeconds, numbers } = error;
  const named = issues?.map((issue) => ({ ...issue, path: `steps.${place}.${issue.path}` })) ?? [
    { path: `steps.${place}`, message },
  ];
  if (code === "invalid_request") return invalidRequest(named);
  return new AppError(code, {
    message: `Step ${id}: ${message}`,
    hint,
    issues: named,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(numbers && { numbers }),
  });
}
