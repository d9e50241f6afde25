// Addresses of the studio's pages.
export const GENERATE_PATH = "/generate";
export const JOBS_PATH = "/jobs";

export function modelAddress(slug: string): string {
  return `${GENERATE_PATH}?model=${encodeURIComponent(slug)}`;
}

export function jobPath(jobId: string): string {
  return `${JOBS_PATH}/${jobId}`;
}
