// All deliveries of an account, in pages.
import { z } from "zod";
import { deliveryStatusSchema } from "../../proto/resources/callback.ts";
import { parseRequest } from "../../proto/resources/issues.ts";
import { jobIdFilterSchema } from "../../proto/resources/page.ts";
import type { App } from "../app.ts";
import { given, type Page, pageFields, type PageRequest, readCursor, toPage } from "../page.ts";
import { type DeliveryDoc, findOwnDeliveries } from "./store.ts";

/** Of an account that has more, the next page goes on from there. */
const MAX_READ = 5_000;

const querySchema = z.object({
  ...pageFields,
  status: deliveryStatusSchema.optional(),
  job_id: jobIdFilterSchema.optional(),
});

/** Those of the newest jobs first. Errors: invalid_request naming the parameters. */
export async function listOwnDeliveries(
  app: App,
  { accountId, status, jobId, ...page }: PageRequest & { accountId: string; status: string; jobId: string },
  maxRead = MAX_READ,
): Promise<Page<DeliveryDoc>> {
  const query = parseRequest(querySchema, given({ ...page, status, job_id: jobId }));
  const { found, stoppedAt } = await findOwnDeliveries(
    app.mongo.db,
    { accountId, beforeId: readCursor(query.cursor), status: query.status, jobId: query.job_id },
    { limit: query.limit + 1, maxRead },
  );
  return toPage(found, query.limit, ({ _id }) => _id, stoppedAt);
}
