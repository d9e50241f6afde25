// Signed addresses of a job's inputs, for providers that fetch files themselves: they open for as long as the job may run.
import type { App } from "../app.ts";
import { signFacts } from "../outputs/sign.ts";
import type { JobDoc } from "./store.ts";

const PURPOSE = "atelier input url v1";
const HOUR_SECONDS = 60 * 60;

type SignedFacts = { accountId: string; jobId: string; param: string; expires: number };

/** The same within an hour, so that a try that is made again sends the same. */
export function signInputUrl(
  app: Pick<App, "secret" | "generationBaseUrl" | "clock">,
  job: Pick<JobDoc, "_id" | "account_id" | "run_timeout_ms">,
  param: string,
): string {
  const { _id: jobId, account_id: accountId } = job;
  const neededSeconds = (app.clock.now().getTime() + job.run_timeout_ms) / 1000;
  const expires = (Math.ceil(neededSeconds / HOUR_SECONDS) + 1) * HOUR_SECONDS;
  const signature = sign(app.secret, { accountId, jobId, param, expires }).toString("base64url");
  const query = new URLSearchParams({ account: accountId, expires: String(expires), signature });
  return `${app.generationBaseUrl}/api/jobs/${jobId}/inputs/${param}?${query.toString()}`;
}

function sign(secret: string, { accountId, jobId, param, expires }: SignedFacts): Buffer {
  return signFacts(secret, [PURPOSE, accountId, jobId, param, expires]);
}
