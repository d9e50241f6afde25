// Finds what an operator's search term refers to: an id, part of an address or a name, a key, a slug, a receipt. Each kind is looked up by
// its index; kinds without one are searched among the newest only, and jobs never.
import { AppError, invalidField } from "../../../proto/codes.ts";
import {
  accountById,
  accountsByEmail,
  accountsByName,
  keyByHash,
  keyById,
  keysByEnd,
} from "../../identity/accounts/look-up.ts";
import type { AccountDoc, KeyDoc } from "../../identity/accounts/store.ts";
import { trailOfRequest } from "../../identity/audit-trail/list-audit-trail.ts";
import type { AuditTrailDoc } from "../../identity/audit-trail/store.ts";
import { entryById } from "../../identity/credits/read.ts";
import type { App } from "../../kernel/app.ts";
import { findProduct, findProductsOf } from "../../shop/catalog/find-product.ts";
import type { ProductDoc } from "../../shop/catalog/store.ts";
import { licenceById } from "../../shop/memberships/licences.ts";
import { findAnyOrder, orderByNumber } from "../../shop/orders/list-orders.ts";
import type { OrderDoc } from "../../shop/orders/store.ts";
import { findAnySubscription } from "../../shop/subscriptions/any-subscription.ts";
import { findAnyJob } from "../../studio/jobs/get.ts";
import { shownState } from "../../studio/jobs/rules.ts";
import { listProviders } from "../../studio/limits/settings.ts";
import { listAllModels } from "../../studio/models/list-models.ts";
import { deliveryById } from "../../studio/webhooks/log.ts";
import { findAnyWorkflow } from "../../studio/workflows/get.ts";
import { getBulk } from "../bulk/run.ts";
import { getTicket } from "../tickets/read-tickets.ts";

export type Hit = {
  readonly kind: string;
  readonly id: string;
  /** The account; empty if it has none. */
  readonly accountId: string;
  /** A description of one line. */
  readonly what: string;
  /** The job that it concerns. */
  readonly jobId?: string;
};

/** The maximum number of results of one kind; more mean that the term is too short. */
const LIMIT = 10;
const MAX_WORD = 200;
/** The end of a key, optionally with its prefix. */
const KEY_END = /^(?:atl_(?:gen|mem|org|adm)_)?(?:…|\.\.\.)?([0-9A-Za-z]{4})$/;

type Look = (app: App, id: string) => Promise<readonly Hit[]>;

/** The prefix of an id tells its kind. */
const BY_PREFIX: Readonly<Record<string, Look>> = {
  acc: async (app, id) => some(await accountById(app, id), ofAccount),
  key: async (app, id) => some(await keyById(app, id), ofKey),
  job: async (app, id) =>
    some(await unlessUnknown(findAnyJob(app, id)), (job) => ({
      kind: "job",
      id: job._id,
      accountId: job.account_id,
      what: `${shownState(job)}${job.error ? ` (${job.error.code})` : ""}, ${job.model_slug}, ${job.credits} credits, made ${time(job.created_at)}`,
    })),
  ord: async (app, id) => some(await unlessUnknown(findAnyOrder(app, id)), ofOrder),
  lic: async (app, id) =>
    some(await licenceById(app, id), (licence) => ({
      kind: "licence",
      id: licence._id,
      accountId: licence.account_id,
      what: `${licence.kind} licence of ${licence.product_slug}, ${licence.revoked_at ? `revoked ${time(licence.revoked_at)}` : `granted ${time(licence.granted_at)}`}`,
    })),
  tkt: async (app, id) =>
    some(await unlessUnknown(getTicket(app, { ticketId: id })), (ticket) => ({
      kind: "ticket",
      id: ticket._id,
      accountId: ticket.account_id,
      // Text of tickets is only shown to support.
      what: `${ticket.state}, about ${ticket.kind.replaceAll("_", " ")}, changed ${time(ticket.updated_at)}`,
    })),
  dlv: async (app, id) =>
    some(await deliveryById(app, id), (delivery) => ({
      kind: "delivery",
      id: delivery._id,
      accountId: delivery.account_id,
      what: `${delivery.status} after ${delivery.attempt_count} attempts, ${delivery.event} to ${delivery.host}`,
      ...(delivery.job_id !== null && { jobId: delivery.job_id }),
    })),
  wfl: async (app, id) =>
    some(await findAnyWorkflow(app, id), (workflow) => ({
      kind: "workflow",
      id: workflow._id,
      accountId: workflow.account_id,
      what: `${shownState(workflow)}, ${workflow.steps.length} steps, ${workflow.credits} credits, made ${time(workflow.created_at)}`,
    })),
  sub: async (app, id) =>
    some(await unlessUnknown(findAnySubscription(app, id)), (one) => ({
      kind: "subscription",
      id: one._id,
      accountId: one.account_id,
      what: `${one.state}, ${one.kind} ${one.what}, paid until ${time(one.period_end)}`,
    })),
  blk: async (app, id) =>
    some(await unlessUnknown(getBulk(app, id)), (bulk) => ({
      kind: "bulk",
      id: bulk._id,
      accountId: "",
      what: `${bulk.act} of ${bulk.items}, ${bulk.ended_at ? `done ${time(bulk.ended_at)}` : bulk.started_at ? "begun" : "a dry run"}`,
    })),
  led: async (app, id) =>
    some(await entryById(app, id), (entry) => ({
      kind: "ledger entry",
      id: entry._id,
      accountId: entry.account_id,
      what: `${entry.kind} of ${entry.amount || entry.hold} credits, number ${entry.seq}, made ${time(entry.created_at)}`,
      ...(entry.job_id !== null && { jobId: entry.job_id }),
    })),
};

/** The other possible meanings of a term. */
const BY_WORD: readonly Look[] = [
  async (app, word) =>
    (await accountsByEmail(app, word, LIMIT)).map(({ account, email }) => {
      const hit = ofAccount(account);
      return email.reserved_until
        ? { ...hit, what: `${hit.what}; keeps ${email._id} until ${time(email.reserved_until)}` }
        : hit;
    }),
  async (app, word) => (await accountsByName(app, word, LIMIT)).map(ofAccount),
  async (app, word) => {
    const end = KEY_END.exec(word)?.[1];
    return end === undefined ? [] : (await keysByEnd(app, end, LIMIT)).map(ofKey);
  },
  async (app, word) => some(await findProduct(app, word), ofProduct),
  async (app, word) => (await findProductsOf(app, [word])).map(ofProduct),
  async (app, word) => some(await orderByNumber(app, word), ofOrder),
  async (app, word) =>
    (await listAllModels(app))
      .filter(({ _id }) => _id === word)
      .map(({ _id, status, provider }) => ({
        kind: "model",
        id: _id,
        accountId: "",
        what: `${status}, made by ${provider}`,
      })),
  async (app, word) =>
    (await listProviders(app))
      .filter(({ provider }) => provider === word)
      .map(({ provider, isPaused }) => ({
        kind: "provider",
        id: provider,
        accountId: "",
        what: isPaused ? "paused" : "open for calls",
      })),
  async (app, word) => (await trailOfRequest(app, word, LIMIT)).map(ofTrail),
];

/**
 * All possible meanings of a term, each once. For a complete key, its SHA-256 is passed on instead, so that the key itself goes nowhere.
 * Throws invalid_request for an empty term.
 */
export async function findAnything(
  app: App,
  { word: asked, keySha256 }: { word: string; keySha256: string },
): Promise<readonly Hit[]> {
  if (keySha256 !== "") return some(await keyByHash(app, keySha256), ofKey);
  const word = asked.trim();
  if (word === "" || word.length > MAX_WORD) {
    const message = word === "" ? "is required" : `must have at most ${MAX_WORD} characters`;
    throw invalidField("word", message);
  }
  const prefix = /^([a-z]{3})_/.exec(word)?.[1];
  const byId = prefix === undefined ? undefined : BY_PREFIX[prefix];
  if (byId) return byId(app, word);
  const hits = (await Promise.all(BY_WORD.map((look) => look(app, word)))).flat();
  return [...new Map(hits.map((hit) => [`${hit.kind} ${hit.id}`, hit])).values()];
}

function some<T>(found: T | undefined, toHit: (found: T) => Hit): readonly Hit[] {
  return found === undefined ? [] : [toHit(found)];
}

/** Returns undefined where the verb throws not_found. */
async function unlessUnknown<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (error instanceof AppError && (error.code === "not_found" || error.code === "job_not_found"))
      return undefined;
    throw error;
  });
}

function ofAccount({ _id, email, name, plan, status, balance, held }: AccountDoc): Hit {
  const who = status === "deleted" ? "" : `${email}, ${name}, `;
  return {
    kind: "account",
    id: _id,
    accountId: _id,
    what: `${who}${status}, plan ${plan}, ${balance - held} credits available`,
  };
}

function ofKey({ key_id, account_id, kind, name, masked, revoked_at, expires_at }: KeyDoc): Hit {
  const end = revoked_at ? `revoked ${time(revoked_at)}` : expires_at ? `until ${time(expires_at)}` : "live";
  return {
    kind: kind === "mem" ? "member key" : "key",
    id: key_id,
    accountId: account_id,
    what: `${masked}, ${name}, ${end}`,
  };
}

function ofOrder({ _id, account_id, state, amount_cents, receipt_number, created_at }: OrderDoc): Hit {
  const receipt = receipt_number === null ? "" : `receipt ${receipt_number}, `;
  return {
    kind: "order",
    id: _id,
    accountId: account_id,
    what: `${state}, $${(amount_cents / 100).toFixed(2)}, ${receipt}placed ${time(created_at)}`,
  };
}

function ofProduct({ _id, slug, name, status }: ProductDoc): Hit {
  return { kind: "product", id: slug, accountId: "", what: `${name}, ${status}, ${_id}` };
}

function ofTrail({ _id, what, target, operator, outcome, at }: AuditTrailDoc): Hit {
  return {
    kind: "operator's act",
    id: _id,
    accountId: "",
    what: `${what} ${target} by ${operator ?? "-"} at ${time(at)}: ${outcome ?? "unknown"}`,
  };
}

function time(at: Date): string {
  return at.toISOString();
}
