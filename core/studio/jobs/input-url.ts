// Signed URLs of a job's inputs, for providers that fetch files themselves. They work for as long as the job may run.
import { AppError } from "../../../proto/codes.ts";
import type { App } from "../../kernel/app.ts";
import { type SignedLink, isSigned, signInfo } from "../../kernel/outputs/sign.ts";
import type { JobDoc } from "./store.ts";

const PURPOSE = "atelier input url v1";
const HOUR_SECONDS = 60 * 60;

type SignedInfo = { accountId: string; jobId: string; param: string; expires: number };

/** The URL stays the same within an hour, so that a repeated attempt sends the same one. */
export function signInputUrl(
  app: Pick<App, "secrets" | "generationBaseUrl" | "clock">,
  job: Pick<JobDoc, "_id" | "account_id" | "run_timeout_ms">,
  param: string,
): string {
  const { _id: jobId, account_id: accountId } = job;
  const neededSeconds = (app.clock.now().getTime() + job.run_timeout_ms) / 1000;
  const expires = (Math.ceil(neededSeconds / HOUR_SECONDS) + 1) * HOUR_SECONDS;
  const signature = signInfo(app.secrets, factsOf({ accountId, jobId, param, expires }));
  const query = new URLSearchParams({ account: accountId, expires: String(expires), signature });
  return `${app.generationBaseUrl}/api/jobs/${jobId}/inputs/${param}?${query.toString()}`;
}

/** Returns the account for which the URL was signed. Throws not_found, which reveals nothing about the file. */
export function verifyInputAccess(
  app: Pick<App, "secrets" | "clock">,
  access: { jobId: string; param: string; account: string; expires: number; signature: string },
): string {
  const { jobId, param, account, expires, signature } = access;
  const facts = factsOf({ accountId: account, jobId, param, expires });
  if (!isSigned(app.secrets, facts, signature) || expires * 1000 <= app.clock.now().getTime())
    throw new AppError("not_found", { message: "This address was altered or has expired." });
  return account;
}

function factsOf({ accountId, jobId, param, expires }: SignedInfo): SignedLink {
  return [PURPOSE, accountId, jobId, param, expires];
}
