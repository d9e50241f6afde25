// Addresses of the studio's pages.
import { ALL_OR_NOTHING_FIELD, type Draft, type Model, newDraft, WAIT_FIELDS } from "./draft.ts";

export const GENERATE_PATH = "/generate";
export const JOBS_PATH = "/jobs";
export const WORKFLOWS_PATH = "/workflows";
/** Where a workflow is built. */
export const BUILD_PATH = `${WORKFLOWS_PATH}/new`;
export const MODELS_PATH = "/models";
/** The id of the price list on a model's page. */
export const PRICES_ID = "prices";
/** Where forms send the jobs whose files are to be downloaded together or deleted. */
export const DOWNLOAD_PATH = `${JOBS_PATH}/download`;
export const DELETE_PATH = `${JOBS_PATH}/delete-files`;
/** Where the form asks for price, preview and code. */
export const PREVIEW_PATH = "/generate/preview";
/** The current form of a visitor as a page, with price and preview or with its code open. */
export const CHECK_PATH = "/generate/check";
/** The current form with its code open. */
export const CODE_PATH = "/generate/code";
export const AGAIN_PATH = "/generate/again";
export const STOP_PATH = "/generate/stop";

/** An output to use as input, and the job that made it. */
export type InputName = { readonly outputId: string; readonly jobId: string };

export function modelAddress(slug: string, input?: InputName): string {
  return `${GENERATE_PATH}?model=${encodeURIComponent(slug)}${input ? `&${inputQuery(input)}` : ""}`;
}

export function modalityAddress(modality: string, input?: InputName): string {
  return `${GENERATE_PATH}?modality=${modality}${input ? `&${inputQuery(input)}` : ""}`;
}

/** The form of a model that takes such a file, with the output chosen. */
export function useAsInputAddress(input: InputName): string {
  return `${GENERATE_PATH}?${inputQuery(input)}`;
}

function inputQuery({ outputId, jobId }: InputName): string {
  return new URLSearchParams({ input: outputId, job: jobId }).toString();
}

export function pricesAddress(slug: string): string {
  return `${modelPath(slug)}#${PRICES_ID}`;
}

export function modelPath(slug: string): string {
  return `${MODELS_PATH}/${encodeURIComponent(slug)}`;
}

/** The submitted form with the job beside it. A chosen seed stays; a random one does not. */
export function shownAddress(jobId: string, seed?: "same"): string {
  return `${GENERATE_PATH}?job=${encodeURIComponent(jobId)}${seed === undefined ? "" : `&seed=${seed}`}`;
}

/** The same address with the focus on the prompt. */
export function tweakAddress(jobId: string, seed?: "same"): string {
  return `${shownAddress(jobId, seed)}#prompt`;
}

export function exampleAddress(sampleId: string): string {
  return `${GENERATE_PATH}?example=${encodeURIComponent(sampleId)}#prompt`;
}

/** The form with the request of a job; without the seed it makes a new work. */
export function againAddress(jobId: string, seed?: "same"): string {
  return `${GENERATE_PATH}?from=${encodeURIComponent(jobId)}${seed === undefined ? "" : `&seed=${seed}`}`;
}

/** An entry of the ledger, opened in the list. */
export function entryAddress(entryId: string): string {
  return `/credits?entry=${encodeURIComponent(entryId)}#entry`;
}

export function jobPath(jobId: string): string {
  return `${JOBS_PATH}/${jobId}`;
}

/** Where the owner of an output makes its public link. */
export function sharePath(jobId: string, outputId: string): string {
  return `${jobPath(jobId)}/outputs/${outputId}/share`;
}

/** The public page of an output. */
export function sharedPath(shareId: string): string {
  return `/s/${shareId}`;
}

/** Where a person decides about spending that a key requests. Core returns this address to the key's owner. */
export function confirmPath(approvalId: string): string {
  return `/account/confirm/${approvalId}`;
}

export function workflowPath(workflowId: string): string {
  return `${WORKFLOWS_PATH}/${workflowId}`;
}

/** A workflow whose first step makes the same as the job. */
export function buildAddress(jobId: string): string {
  return `${BUILD_PATH}?from=${encodeURIComponent(jobId)}`;
}

/** The steps of an earlier workflow, to change and run again, or as code. */
export function rebuildAddress(workflowId: string, show?: "code"): string {
  return `${BUILD_PATH}?workflow=${encodeURIComponent(workflowId)}${show === undefined ? "" : `&show=${show}#as-code`}`;
}

/** Some clients and proxies do not accept longer addresses. */
const MAX_DRAFT_ADDRESS = 4_000;

/** The current form as an address: what differs from the model's defaults. A prompt that is too long is left out. */
export function draftAddress(
  model: Model,
  draft: Draft,
  { show, job }: { show?: "code" | undefined; job?: string | undefined },
): string {
  const usual = newDraft(model);
  const changed = [...draft.params].filter(([name, value]) => value !== (usual.params.get(name) ?? ""));
  const query = new URLSearchParams(
    Object.fromEntries([
      ["model", model.model_slug],
      ["prompt", draft.prompt],
      ...changed.map(([name, value]) => [`param.${name}`, value]),
      ...(draft.callbackUrl === "" ? [] : [["callback_url", draft.callbackUrl]]),
      ...(draft.allOrNothing ? [[ALL_OR_NOTHING_FIELD, "1"]] : []),
      ...WAIT_FIELDS.filter((name) => draft.waits[name] !== "").map((name) => [name, draft.waits[name]]),
      ...(job === undefined ? [] : [["job", job]]),
      ...(show === undefined ? [] : [["show", show]]),
    ]),
  );
  if (query.toString().length > MAX_DRAFT_ADDRESS) query.delete("prompt");
  return `${GENERATE_PATH}?${query.toString()}`;
}
