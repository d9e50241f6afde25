// Every slice, from the lowest. Whatever a process does for all slices uses this list.
import { paymentsSlice } from "../adapters/payments/slice.ts";
import { accountsSlice } from "../identity/accounts/slice.ts";
import { approvalsSlice } from "../identity/approvals/slice.ts";
import { auditTrailSlice } from "../identity/audit-trail/slice.ts";
import { creditsSlice } from "../identity/credits/slice.ts";
import { holdsSlice } from "../identity/holds/slice.ts";
import { logSlice } from "../identity/log/slice.ts";
import { sessionsSlice } from "../identity/sessions/slice.ts";
import { archiveSlice } from "../kernel/archive/slice.ts";
import { eventsSlice } from "../kernel/events/slice.ts";
import { mailSlice } from "../kernel/mail/slice.ts";
import { outputsSlice } from "../kernel/outputs/slice.ts";
import { servicesSlice } from "../kernel/services/slice.ts";
import { signingSlice } from "../kernel/signing/slice.ts";
import type { Slice } from "../kernel/slice.ts";
import { adminSlice } from "../operations/admin/slice.ts";
import { backupsSlice } from "../operations/backups/slice.ts";
import { bulkSlice } from "../operations/bulk/slice.ts";
import { inboxSlice } from "../operations/inbox/slice.ts";
import { marginSlice } from "../operations/margin/slice.ts";
import { privacySlice } from "../operations/privacy/slice.ts";
import { retentionSlice } from "../operations/retention/slice.ts";
import { ticketsSlice } from "../operations/tickets/slice.ts";
import { catalogSlice } from "../shop/catalog/slice.ts";
import { librarySlice } from "../shop/library/slice.ts";
import { membershipsSlice } from "../shop/memberships/slice.ts";
import { ordersSlice } from "../shop/orders/slice.ts";
import { subscriptionsSlice } from "../shop/subscriptions/slice.ts";
import { costsSlice } from "../studio/costs/slice.ts";
import type { JobsApp } from "../studio/jobs/local-dispatch.ts";
import { jobsSlice } from "../studio/jobs/slice.ts";
import { limitsSlice } from "../studio/limits/slice.ts";
import { modelsSlice } from "../studio/models/slice.ts";
import { runsSlice } from "../studio/runs/slice.ts";
import { uploadsSlice } from "../studio/uploads/slice.ts";
import { webhooksSlice } from "../studio/webhooks/slice.ts";
import { workflowsSlice } from "../studio/workflows/slice.ts";
import type { CoreParts, WorkerParts } from "./parts.ts";

export const SLICES: readonly Slice<JobsApp, CoreParts, WorkerParts>[] = [
  paymentsSlice,
  signingSlice,
  mailSlice,
  eventsSlice,
  servicesSlice,
  outputsSlice,
  archiveSlice,
  accountsSlice,
  logSlice,
  creditsSlice,
  approvalsSlice,
  holdsSlice,
  sessionsSlice,
  auditTrailSlice,
  catalogSlice,
  membershipsSlice,
  subscriptionsSlice,
  ordersSlice,
  librarySlice,
  webhooksSlice,
  limitsSlice,
  costsSlice,
  modelsSlice,
  uploadsSlice,
  jobsSlice,
  runsSlice,
  workflowsSlice,
  bulkSlice,
  ticketsSlice,
  inboxSlice,
  marginSlice,
  retentionSlice,
  adminSlice,
  privacySlice,
  backupsSlice,
];

/** Each slice's data of accounts. */
export const OWNED = SLICES.flatMap(({ owned }) => (owned ? [owned] : []));
