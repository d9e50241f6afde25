// What Prometheus learns from a core: the queue, which is read from the database when somebody asks, and the state of its catalog.
import { listPauses } from "../operations/admin/pauses.ts";
import { findStuck } from "../operations/admin/stuck.ts";
import type { App } from "../kernel/app.ts";
import { lastBackupSeconds } from "../operations/backups/last.ts";
import type { LiveCatalog } from "../shop/catalog/live-catalog.ts";
import { listProviders } from "../studio/limits/settings.ts";
import { countWaiting } from "../studio/runs/admit.ts";
import { measureMails } from "../kernel/mail/measure.ts";
import { measureQueue } from "../studio/jobs/measure-queue.ts";
import type { DatabaseClock } from "../base/mongo/database-clock.ts";
import { measurePayments } from "../shop/orders/measure.ts";
import { measureSubscriptions } from "../shop/subscriptions/own.ts";
import { createRecent } from "../base/mongo/recent.ts";
import { measureTickets } from "../operations/tickets/read-tickets.ts";

/** Scrapes within this time share one reading, however many there are. */
const MEASURE_MAX_AGE_MS = 1_000;
/** Nobody hurries because of it. */
const STUCK_MAX_AGE_MS = 15_000;

export function observeCore(
  app: Pick<App, "metrics" | "mongo" | "clock" | "providers">,
  catalog: Pick<LiveCatalog, "state">,
): void {
  const queue = createRecent(() => measureQueue(app), MEASURE_MAX_AGE_MS);
  const { gauge } = app.metrics;
  observeOperators(app);
  gauge(
    "jobs_waiting",
    "Jobs in state reserved, counted up to 100,000.",
    async () => (await queue()).waiting,
  );
  gauge("jobs_running", "Jobs in state running, counted up to 100,000.", async () => (await queue()).running);
  gauge(
    "jobs_oldest_waiting_seconds",
    "How long the job that waits longest has waited; 0 when none does.",
    async () => (await queue()).oldestWaitingSeconds,
  );
  app.metrics.gauges(
    "provider_calls_under_way",
    "Calls under way at a provider, where it has a limit.",
    ["provider"],
    async () =>
      (await listProviders(app)).flatMap(({ provider, calls }) =>
        calls === undefined ? [] : [{ labels: { provider }, value: calls }],
      ),
  );
  app.metrics.gauges(
    "provider_jobs_waiting",
    "Running jobs that wait until their provider may be called.",
    ["provider"],
    async () => [...(await countWaiting(app))].map(([provider, value]) => ({ labels: { provider }, value })),
  );
  gauge("mails_queued", "Mails of the outbox that are not sent yet, counted up to 100,000.", () =>
    measureMails(app),
  );
  gauge(
    "payments_to_give_back",
    "Payments that are to be given back and were not yet.",
    async () => (await measurePayments(app)).toGiveBack,
  );
  gauge(
    "payments_unclaimed",
    "Payments that name no order that is known here.",
    async () => (await measurePayments(app)).unclaimed,
  );
  app.metrics.gauges(
    "subscriptions",
    "Subscriptions that have not ended, by what they are of and their state.",
    ["kind", "what", "state"],
    () => measureSubscriptions(app),
  );
  observeBackups(app);
  gauge("catalog_version", "Version of the catalog that this core shows.", () => catalog.state().version);
  gauge("catalog_products", "Public products in this core's index.", () => catalog.state().products);
  gauge("catalog_fresh", "1 while this core can prove that its catalog is complete, else 0.", () =>
    catalog.state().fresh ? 1 : 0,
  );
}

function observeBackups(app: Pick<App, "metrics" | "mongo">): void {
  app.metrics.gauge(
    "backup_last_success_timestamp",
    "The moment of the last backup that was finished, in seconds since 1970; 0 before the first.",
    () => lastBackupSeconds(app),
  );
}

/** What waits for a person, and what somebody has paused. */
function observeOperators(app: Pick<App, "metrics" | "mongo" | "clock" | "providers">): void {
  app.metrics.gauge("tickets_open", "Tickets that wait for support, counted up to 100,000.", () =>
    measureTickets(app),
  );
  const stuck = createRecent(() => findStuck(app, { all: true }), STUCK_MAX_AGE_MS);
  app.metrics.gauges(
    "stuck",
    "How much needs a person, by what it is; the command stuck says what to do.",
    ["what"],
    async () => (await stuck()).map(({ kind, count }) => ({ labels: { what: kind }, value: count })),
  );
  app.metrics.gauges(
    "paused",
    "1 for each model, provider and queue that an operator has paused.",
    ["kind", "name"],
    async () => (await listPauses(app)).map(({ kind, name }) => ({ labels: { kind, name }, value: 1 })),
  );
}

/** What the time of this process is worth. */
export function observeClock({ gauge }: App["metrics"], clock: DatabaseClock): void {
  gauge(
    "clock_skew_seconds",
    "How far this machine's clock is ahead of the database's; beyond 2 either way the process is not ready.",
    () => clock.skewMs() / 1000,
  );
  gauge(
    "clock_error_seconds",
    "By how much the database's time, as this process knows it, may be wrong.",
    () => clock.errorMs() / 1000,
  );
}
