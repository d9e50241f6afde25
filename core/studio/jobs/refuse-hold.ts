// The one place that decides whether credits may be held for a request. It is called for a single job and for a whole workflow, inside
// their transaction, once they are known to be valid and not to repeat an earlier request.
import { AppError } from "../../../proto/codes.ts";
import type { Identity } from "../../identity/accounts/rules.ts";
import type { App } from "../../kernel/app.ts";
import type { QueuePause } from "../../kernel/definitions.ts";
import { refuseAccept, refuseSpending } from "./rules.ts";
import type { JobWrites } from "./write.ts";

/** An operator has to make space first, or to resume the queue. */
const QUEUE_FULL_RETRY_SECONDS = 30;

/** The hold that a request wants. */
export type WantedHold = {
  /** The sum for all its jobs. */
  readonly credits: number;
  readonly jobs: number;
  /** The limit of the request itself. */
  readonly maxCredits: number | undefined;
};

/** The caller, as this transaction has changed them so far. */
export type HoldQuery = Identity & {
  readonly wanted: WantedHold;
  readonly pause: QueuePause | undefined;
  /** Returns a refusal that requires approval, if any. It is called last, because it uses an approval up. */
  readonly unconfirmed: () => AppError | undefined;
};

/**
 * Returns spend_limit_reached, queue_full, insufficient_credits, service_unavailable, confirmation_required or confirmation_declined;
 * undefined if the credits may be held.
 */
export function refuseHold(
  app: Pick<App, "ownDatabase">,
  writes: JobWrites,
  asking: HoldQuery,
): AppError | undefined {
  const { wanted, limit, pause } = asking;
  const { credits, jobs, maxCredits } = wanted;
  return (
    refuseSpending(credits, { request: maxCredits, key: writes.spending.caps(limit) }, jobs) ??
    refuseAccept(asking, credits, jobs) ??
    (pause?.refuses || app.ownDatabase?.isShortOfSpace() ? noRoom() : undefined) ??
    asking.unconfirmed()
  );
}

function noRoom(): AppError {
  return new AppError("service_unavailable", {
    message: "The service takes no new jobs at the moment.",
    retryAfterSeconds: QUEUE_FULL_RETRY_SECONDS,
  });
}
