// Public links to outputs: their owner makes and ends them, and everyone who has one sees the output.
import { randomBytes } from "node:crypto";
import { AppError } from "../../../proto/codes.ts";
import { checkStanding } from "../../identity/accounts/get-account.ts";
import type { App } from "../../kernel/app.ts";
import type { OutputDoc } from "../../kernel/outputs/store.ts";
import type { ArchivedJob } from "./archive-rules.ts";
import { findOwnJob } from "./get.ts";
import { deleteShare, findShare, findShares, type ShareDoc, upsertShare } from "./store-shares.ts";
import type { JobDoc } from "./store.ts";

/** 128 random bits cannot be guessed. */
const ID_BYTES = 16;

export type WantedShare = { accountId: string; jobId: string; outputId: string; showsPrompt: boolean };

/** Returns the link of the output. Safe to repeat. Errors: job_not_found; not_found if the file does not exist or no longer does. */
export async function shareOutput(
  app: App,
  { accountId, jobId, outputId, showsPrompt }: WantedShare,
): Promise<ShareDoc> {
  const now = app.clock.now();
  const output = keptOutput(await findOwnJob(app, accountId, jobId), outputId, now);
  if (!output) throw new AppError("not_found");
  return upsertShare(app.mongo.db, {
    _id: randomBytes(ID_BYTES).toString("base64url"),
    account_id: accountId,
    job_id: jobId,
    output_id: outputId,
    shows_prompt: showsPrompt,
    created_at: now,
    expires_at: output.expires_at,
  });
}

/** Does nothing if the output has no link. Safe to repeat. Errors: job_not_found. */
export async function endShare(app: App, of: Omit<WantedShare, "showsPrompt">): Promise<void> {
  await findOwnJob(app, of.accountId, of.jobId);
  await deleteShare(app.mongo.db, { account_id: of.accountId, job_id: of.jobId, output_id: of.outputId });
}

/** The links to outputs of a job. Errors: job_not_found. */
export async function listSharesOfJob(app: App, accountId: string, jobId: string): Promise<ShareDoc[]> {
  await findOwnJob(app, accountId, jobId);
  return findShares(app.mongo.db, { account_id: accountId, job_id: jobId });
}

export type OpenedShare = { share: ShareDoc; job: JobDoc | ArchivedJob; output: OutputDoc };

/** For anyone who has the link. Errors: not_found, the same for a link that never existed or was ended and for a file that is gone; account_suspended. */
export async function openShare(app: App, shareId: string): Promise<OpenedShare> {
  const share = await findShare(app.mongo.db, shareId);
  if (!share) throw notShared();
  const { account_id: accountId, job_id: jobId, output_id: outputId } = share;
  await checkStanding(app, accountId);
  const job = await findOwnJob(app, accountId, jobId);
  const output = keptOutput(job, outputId, app.clock.now());
  if (!output) throw notShared();
  return { share, job, output };
}

function keptOutput({ outputs }: JobDoc | ArchivedJob, outputId: string, now: Date): OutputDoc | undefined {
  return outputs.find(
    ({ output_id, deleted_at, expires_at }) => output_id === outputId && !deleted_at && expires_at > now,
  );
}

function notShared(): AppError {
  return new AppError("not_found", {
    message: "No work is shared at this link.",
    hint: "Check the link. Its owner may have stopped sharing the work, or the file has expired.",
  });
}
