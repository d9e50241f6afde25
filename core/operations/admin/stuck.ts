// Counts what needs a person, each kind by an index that contains little else.
import type { StuckKind } from "../../../proto/resources/stuck.ts";
import type { App } from "../../kernel/app.ts";
import { measureFailedMails } from "../../kernel/mail/queue.ts";
import { measureLateRefunds, measurePayments } from "../../shop/orders/measure.ts";
import { measureUntold } from "../../shop/subscriptions/any-subscription.ts";
import { measureQueue } from "../../studio/jobs/measure-queue.ts";
import { countFailingModels } from "../../studio/runs/admit.ts";
import { measureOverTime } from "../../studio/runs/rescue.ts";
import { measureDead } from "../../studio/webhooks/dead.ts";
import { measureTickets } from "../tickets/read-tickets.ts";

/** A queue whose oldest job waits longer does not recover without help. */
const LONG_WAIT_SECONDS = 15 * 60;

type StuckApp = Pick<App, "mongo" | "clock">;

const MEASURES: Readonly<Record<StuckKind, (app: StuckApp) => Promise<number>>> = {
  jobs_waiting_long: async (app) => {
    const { waiting, oldestWaitingSeconds } = await measureQueue(app);
    return oldestWaitingSeconds > LONG_WAIT_SECONDS ? waiting : 0;
  },
  jobs_over_time: measureOverTime,
  providers_failing: countFailingModels,
  deliveries_dead: measureDead,
  mails_failed: measureFailedMails,
  refunds_late: measureLateRefunds,
  payments_unclaimed: async (app) => (await measurePayments(app)).unclaimed,
  subscriptions_untold: measureUntold,
  tickets_open: measureTickets,
};

/** In a fixed order; kinds without items are left out unless `all`. */
export async function findStuck(
  app: StuckApp,
  { all }: { all: boolean } = { all: false },
): Promise<{ kind: StuckKind; count: number }[]> {
  const kinds = Object.keys(MEASURES) as StuckKind[];
  const counts = await Promise.all(kinds.map(async (kind) => ({ kind, count: await MEASURES[kind](app) })));
  return counts.filter(({ count }) => all || count > 0);
}
