// Everything an account holds about its owner, as one JSON document that is written piece by piece: however many jobs there are, only a
// page of them is in memory.
import { getAccount } from "../../identity/accounts/get-account.ts";
import { listKeys, listMemberKeys } from "../../identity/accounts/list-keys.ts";
import { KEY_FIELDS } from "../../identity/accounts/fields.ts";
import type { AccountDoc, KeyDoc } from "../../identity/accounts/store.ts";
import type { App } from "../../kernel/app.ts";
import { listConfirmations } from "../../identity/approvals/own.ts";
import { toConfirmation } from "../../identity/approvals/resource.ts";
import { listDeliveries } from "../../studio/jobs/deliveries.ts";
import { listTestEvents } from "../../studio/webhooks/log.ts";
import { DELIVERY_FIELDS } from "../../studio/webhooks/fields.ts";
import type { DeliveryDoc } from "../../studio/webhooks/store.ts";
import { getCallbackSecretState } from "../../studio/webhooks/secret.ts";
import { listLedger } from "../../identity/credits/read.ts";
import { toLedgerEntry } from "../../identity/credits/rules.ts";
import { listJobs } from "../../studio/jobs/list.ts";
import { listMails } from "../../kernel/mail/own.ts";
import { MAIL_FIELDS } from "../../kernel/mail/fields.ts";
import { listDownloads } from "../../shop/library/list-downloads.ts";
import { toDownload } from "../../shop/library/resource.ts";
import { listOrders } from "../../shop/orders/list-orders.ts";
import { toOrder } from "../../shop/orders/resource.ts";
import { listLicences } from "../../shop/memberships/list-licences.ts";
import { LICENCE_FIELDS } from "../../shop/memberships/fields.ts";
import { listSubscriptions } from "../../shop/subscriptions/own.ts";
import { toSubscription } from "../../shop/subscriptions/resource.ts";
import { listWholeTickets } from "../tickets/read-tickets.ts";
import { toTicket } from "../tickets/resource.ts";
import { listUploads } from "../../studio/uploads/own-uploads.ts";
import { UPLOAD_FIELDS } from "../../studio/uploads/fields.ts";
import { listEarlierAddresses } from "../../identity/sessions/change-email.ts";
import { SESSION_FIELDS } from "../../identity/sessions/fields.ts";
import { shownFields } from "../../base/documents/fields.ts";
import { listSessions } from "../../identity/sessions/revoke-session.ts";
import { listWorkflowDeliveries } from "../../studio/workflows/get.ts";
import { listWorkflows } from "../../studio/workflows/list.ts";

const PAGE = 100;

/** Pieces of a JSON object, in order. Keys are masked, secrets are not in it, and files are named with addresses that open for a day. */
export async function* exportAccount(app: App, accountId: string): AsyncGenerator<string> {
  const account = await getAccount(app, accountId);
  const [keys, memberKeys, confirmations, sessions, callbacks, subscriptions, addresses] = await Promise.all([
    listKeys(app, accountId),
    listMemberKeys(app, accountId),
    listConfirmations(app, accountId),
    listSessions(app, accountId),
    getCallbackSecretState(app, accountId),
    listSubscriptions(app, accountId),
    listEarlierAddresses(app, accountId),
  ]);
  const whole = {
    exported_at: app.clock.now().toISOString(),
    account: exportedAccount(account),
    membership: account.membership ?? null,
    subscriptions: await Promise.all(subscriptions.map((each) => toSubscription(app, each))),
    callback_secret: { made: callbacks.known },
    keys: keys.map(exportedKey),
    member_keys: memberKeys.map(exportedKey),
    confirmations: confirmations.map(toConfirmation),
    earlier_email_addresses: addresses,
    sessions: sessions.map((one) => ({ session_id: one._id, ...shownFields(one, SESSION_FIELDS) })),
  };
  yield JSON.stringify(whole).slice(0, -1);
  for (const [name, pageOf] of LISTS)
    yield* list(
      name,
      ofPages((cursor) => pageOf(app, accountId, cursor)),
    );
  yield "}\n";
}

/** `,"name":[…]` */
async function* list(name: string, items: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield `,${JSON.stringify(name)}:[`;
  let first = true;
  for await (const item of items) {
    yield (first ? "" : ",") + JSON.stringify(item);
    first = false;
  }
  yield "]";
}

type Rows = { rows: readonly unknown[]; nextCursor: string };

async function* ofPages(page: (cursor: string) => Promise<Rows>): AsyncGenerator {
  let cursor = "";
  do {
    const { rows, nextCursor } = await page(cursor);
    yield* rows;
    cursor = nextCursor;
  } while (cursor !== "");
}

async function licencesPage(app: App, accountId: string, cursor: string): Promise<Rows> {
  const { rows, nextCursor } = await listLicences(app, accountId, { limit: PAGE, cursor });
  return {
    rows: rows.map((one) => ({ licence_id: one._id, ...shownFields(one, LICENCE_FIELDS) })),
    nextCursor,
  };
}

async function ordersPage(app: App, accountId: string, cursor: string): Promise<Rows> {
  const { rows, nextCursor } = await listOrders(app, { accountId }, { limit: PAGE, cursor });
  return { rows: rows.map(toOrder), nextCursor };
}

async function mailsPage(app: App, accountId: string, cursor: string): Promise<Rows> {
  const { rows, nextCursor } = await listMails(app, accountId, { limit: PAGE, cursor });
  return { rows: rows.map((one) => shownFields(one, MAIL_FIELDS)), nextCursor };
}

async function downloadsPage(app: App, accountId: string, cursor: string): Promise<Rows> {
  const { rows, nextCursor } = await listDownloads(app, accountId, { limit: PAGE, cursor });
  return { rows: rows.map(toDownload), nextCursor };
}

async function uploadsPage(app: App, accountId: string, cursor: string): Promise<Rows> {
  const { rows, nextCursor } = await listUploads(app, accountId, { limit: PAGE, cursor });
  return {
    rows: rows.map((one) => ({ upload_id: one._id, ...shownFields(one, UPLOAD_FIELDS) })),
    nextCursor,
  };
}

async function ticketsPage(app: App, accountId: string, cursor: string): Promise<Rows> {
  const { rows, nextCursor } = await listWholeTickets(app, accountId, { limit: PAGE, cursor });
  const now = app.clock.now();
  return { rows: rows.map((row) => toTicket(row, now)), nextCursor };
}

async function ledgerPage(app: App, accountId: string, cursor: string): Promise<Rows> {
  const all = { kind: "", jobId: "", since: "", until: "" };
  const { entries, nextCursor } = await listLedger(app, { accountId, limit: PAGE, cursor, ...all });
  return { rows: entries.map(toLedgerEntry), nextCursor };
}

/** Deliveries of jobs stand with those. */
async function testEventsPage(app: App, accountId: string, cursor: string): Promise<Rows> {
  const { rows, nextCursor } = await listTestEvents(app, accountId, { limit: PAGE, cursor });
  return { rows: rows.map(exportedDelivery), nextCursor };
}

async function jobsPage(app: App, accountId: string, cursor: string): Promise<Rows> {
  const { jobs, nextCursor } = await listJobs(app, { accountId, limit: PAGE, cursor });
  const rows = await Promise.all(
    jobs.map(async (job) => ({
      ...job,
      deliveries: job.callback
        ? (await listDeliveries(app, accountId, job.job_id)).map(exportedDelivery)
        : [],
    })),
  );
  return { rows, nextCursor };
}

/** Their steps stand among the jobs, too. */
async function workflowsPage(app: App, accountId: string, cursor: string): Promise<Rows> {
  const { workflows, nextCursor } = await listWorkflows(app, { accountId, limit: PAGE, cursor });
  const rows = await Promise.all(
    workflows.map(async (workflow) => ({
      ...workflow,
      deliveries: (await listWorkflowDeliveries(app, { accountId, workflowId: workflow.workflow_id })).map(
        exportedDelivery,
      ),
    })),
  );
  return { rows, nextCursor };
}

function exportedAccount({
  _id,
  email,
  name,
  plan,
  status,
  created_at,
  balance,
  held,
  expiring = [],
  low,
}: AccountDoc): object {
  const credits = { balance, held, expiring, low_below: low?.below ?? null };
  return { account_id: _id, email, name, plan, status, created_at, credits };
}

function exportedKey(key: KeyDoc): object {
  return shownFields(key, KEY_FIELDS);
}

function exportedDelivery(delivery: DeliveryDoc): object {
  return { delivery_id: delivery._id, ...shownFields(delivery, DELIVERY_FIELDS) };
}

/** What an account may have any number of, in the order of the export. */
const LISTS: readonly (readonly [
  name: string,
  pageOf: (app: App, accountId: string, cursor: string) => Promise<Rows>,
])[] = [
  ["licences", licencesPage],
  ["orders", ordersPage],
  ["mails", mailsPage],
  ["downloads", downloadsPage],
  ["uploads", uploadsPage],
  ["tickets", ticketsPage],
  ["ledger", ledgerPage],
  ["jobs", jobsPage],
  ["workflows", workflowsPage],
  ["test_events", testEventsPage],
];
