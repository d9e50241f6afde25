// Erases the words and files of a deleted account's jobs. What the audit counts stays: state, price, times and steps.
import type { App } from "../../kernel/app.ts";
import { forgetOutputs } from "../../kernel/outputs/expire.ts";
import { forgetDeliveries, forgetOtherDeliveries } from "../webhooks/archive.ts";
import { cancelWaitingJobs } from "./release.ts";
import { isEnded } from "./rules.ts";
import { deleteIdempotencyKeys, eraseCallbackUrls, eraseJobs } from "./store-archive.ts";
import { findJobsLike } from "./store-list.ts";
import { deleteShares } from "./store-shares.ts";
import type { JobDoc } from "./store.ts";

const PAGE = 200;

/**
 * Returns how many jobs still run: a worker holds them with their words, so erasing them must wait for their end. Files and rows are erased
 * first, because the job names them: after an interruption, the job still leads to the rest.
 */
export async function forgetJobs(app: App, accountId: string): Promise<number> {
  const { db } = app.mongo;
  // This comes first, so that no end of a job is announced any more.
  await eraseCallbackUrls(db, accountId);
  await cancelWaitingJobs(app, accountId);
  await deleteIdempotencyKeys(db, accountId);
  await forgetOtherDeliveries(app, accountId);
  await deleteShares(db, accountId);
  let running = 0;
  let page: JobDoc[] = [];
  do {
    const beforeId = page.at(-1)?._id;
    ({ found: page } = await findJobsLike(db, { accountId, beforeId }, { limit: PAGE, maxRead: PAGE }));
    const ended = page.filter(({ state }) => isEnded(state));
    running += page.length - ended.length;
    const ids = ended.map(({ _id }) => _id);
    await forgetDeliveries(app, accountId, ids);
    await forgetOutputs(
      app,
      ended.flatMap(({ outputs, inputs = [] }) => [
        ...outputs.flatMap(({ output_id, thumbnails = [] }) => [
          output_id,
          ...thumbnails.map(({ file_id }) => file_id),
        ]),
        ...inputs.map(({ file_id }) => file_id),
      ]),
    );
    await eraseJobs(db, accountId, ids);
  } while (page.length === PAGE);
  return running;
}
