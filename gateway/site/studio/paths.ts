// Addresses of the studio's pages.
export const GENERATE_PATH = "/generate";
export const JOBS_PATH = "/jobs";
/** Where forms send which jobs' files are to be had together, or to go. */
export const DOWNLOAD_PATH = `${JOBS_PATH}/download`;
export const DELETE_PATH = `${JOBS_PATH}/delete-files`;

/** An output to work from, and the job that made it. */
export type InputName = { readonly outputId: string; readonly jobId: string };

export function modelAddress(slug: string, input?: InputName): string {
  return `${GENERATE_PATH}?model=${encodeURIComponent(slug)}${input ? `&${inputQuery(input)}` : ""}`;
}

export function modalityAddress(modality: string, input?: InputName): string {
  return `${GENERATE_PATH}?modality=${modality}${input ? `&${inputQuery(input)}` : ""}`;
}

/** The form of a model that takes such a file, with the output in it. */
export function useAsInputAddress(input: InputName): string {
  return `${GENERATE_PATH}?${inputQuery(input)}`;
}

function inputQuery({ outputId, jobId }: InputName): string {
  return new URLSearchParams({ input: outputId, job: jobId }).toString();
}

/** The form with what a job was asked for; it makes another work of it, unless the seed is to be the same. */
export function againAddress(jobId: string, seed?: "same"): string {
  return `${GENERATE_PATH}?from=${encodeURIComponent(jobId)}${seed === undefined ? "" : `&seed=${seed}`}`;
}

/** An entry of the ledger, opened among the others. */
export function entryAddress(entryId: string): string {
  return `/credits?entry=${encodeURIComponent(entryId)}#entry`;
}

export function jobPath(jobId: string): string {
  return `${JOBS_PATH}/${jobId}`;
}
