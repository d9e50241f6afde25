// Addresses of the studio's pages.
export const GENERATE_PATH = "/generate";
export const JOBS_PATH = "/jobs";

export function modelAddress(slug: string): string {
  return `${GENERATE_PATH}?model=${encodeURIComponent(slug)}`;
}

/** The form with what a job was asked for; it makes another work of it, unless the seed is to be the same. */
export function againAddress(jobId: string, seed?: "same"): string {
  return `${GENERATE_PATH}?from=${encodeURIComponent(jobId)}${seed === undefined ? "" : `&seed=${seed}`}`;
}

export function jobPath(jobId: string): string {
  return `${JOBS_PATH}/${jobId}`;
}
