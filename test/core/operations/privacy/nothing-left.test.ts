// An account with rows in every collection, with text in each field that is not counted: its export has what its owner may see, and its
// deletion leaves nothing of that. Both follow from the classes of fields, so a new document is tested by having some.
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { type FieldClass, type Fields, isKept, splitFields } from "../../../../core/base/documents/fields.ts";
import { ALL_COLLECTIONS } from "../../../../core/entry/migrate.ts";
import { accounts } from "../../../../core/identity/accounts/store.ts";
import { ENTRY_FACTS_FIELDS } from "../../../../core/identity/credits/archive-rules.ts";
import { writeLog } from "../../../../core/identity/log/write-log.ts";
import { readSegment } from "../../../../core/kernel/archive/read-segment.ts";
import { findAllSegments } from "../../../../core/kernel/archive/store.ts";
import { removeExpiredOutputs } from "../../../../core/kernel/outputs/expire.ts";
import { deleteAccount, eraseDeletedAccounts } from "../../../../core/operations/privacy/erase-accounts.ts";
import { exportAccount } from "../../../../core/operations/privacy/export-account.ts";
import { archiveOld } from "../../../../core/operations/retention/archive-old.ts";
import { JOB_FIELDS } from "../../../../core/studio/jobs/fields.ts";
import { cancelWorkflow } from "../../../../core/studio/workflows/cancel.ts";
import { WORKFLOW_FIELDS } from "../../../../core/studio/workflows/fields.ts";
import { sharedByTests } from "../../../support/shared.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { picture, run, tune } from "../../studio/workflows/fixtures.ts";
import { createFixture, type Customer, DAY_MS, live, SMALL, type Step } from "../retention/histories.ts";

const world = sharedByTests(() => createFixture());

type Row = Record<string, unknown>;
const CLASSIFIED = ALL_COLLECTIONS.flatMap(({ name, holds }) =>
  typeof holds === "string" ? [] : [{ name, fields: holds as Fields }],
);
const rowsOf = (name: string) => world.app.mongo.db.collection<Row & { _id: string }>(name);

/** Text that is recognizable wherever it is stored. */
const wordsOf = (where: string) => `words-of-${where}-`;
const NEWER = "words-of-a.newer.release.in.";

/** Fields of queries, which need valid values. */
const GIVEN: Readonly<Record<string, Row>> = {
  account_events: { seq: 1 },
  api_keys: { kind: "gen" },
  deliveries: { job_id: null, workflow_id: null },
  jobs: { starred: true },
  email_links: { kind: "undo" },
  orders: {
    state: "fulfilled",
    next_check_at: null,
    idempotency_keys: ["a"],
    invoice: { seller: "counted", buyer: {} },
  },
  payments: { next_attempt_at: null },
  sessions: { revoked_at: null, expires_at: new Date("2030-01-01"), last_seen_at: new Date("2026-12-01") },
  subscriptions: { state: "ended", ended_at: new Date(0), work: { due_at: null, owner: null, attempts: 0 } },
};
/** Ids with a meaning: the account's own, and that of an order, of which its number is made. */
const IDS: Readonly<Record<string, (accountId: string) => string>> = {
  stripe_customers: (accountId) => accountId,
  callback_secrets: (accountId) => accountId,
  event_counts: (accountId) => accountId,
  orders: (accountId) => `ord_${accountId.slice("acc_".length)}`,
};
const FINDS = /^(_id|account_id|email|files_id|filename)$/;
/** Times, numbers, booleans and bytes, which cannot contain text and are checked separately. */
const WORDLESS =
  /(_at|_until|^(at|until|hour|number|http_status|duration_ms|requests|attempt_count|max_bytes|max_credits|confirm_above|credits|above|open_slot|length|chunkSize|uploadDate|n|revealed|disputed|terms_version))$/;

const takesWords = (name: string, where: string) =>
  !FINDS.test(name) &&
  (where === "jobs" || !WORDLESS.test(name)) &&
  !(where.startsWith("outputs.") && /^(data|metadata)$/.test(name)) &&
  !(name in (GIVEN[where] ?? {}));
/** Fields that ending and erasing read, with text inside. */
const SHAPED: Readonly<Record<string, (words: string) => unknown>> = {
  "jobs.error": (message) => ({ code: "provider_failed", message }),
  "jobs.inputs": (param) => [{ param, file_id: "upl_0" }],
  "jobs.call": (handle) => ({ provider: "test", provider_model: "test", at: new Date(0), handle }),
  "jobs.outputs": (mime_type) => [{ output_id: "out_0", mime_type, expires_at: new Date(0) }],
  "jobs.events.detail": (said) => ({ said }),
  "accounts.membership": (tier) => ({ tier, started_at: new Date(0), period_end: new Date(0) }),
  "accounts.low": (below) => ({ below, told: true }),
  "orders.invoice.buyer": (name) => ({ name, address: "", tax_id: "" }),
  "archive_segments.grant_keys": (key) => [key],
  "jobs.metadata": (who) => ({ who }),
  "workflows.metadata": (who) => ({ who }),
  "tickets.key": (sealed) => ({ key_id: "key_1", sealed, until: new Date(0), seen_at: null }),
};

/** The document with text in every field that is not counted, and with a field without a class. */
function planted(doc: Row, fields: Fields, where: string): Row {
  // The archive's files match their records, which therefore keep unknown fields.
  const after: Row = {
    ...doc,
    ...(!/^(archive_segments|outputs)/.test(where) && { newer: `${NEWER}${where}` }),
  };
  for (const [name, field] of Object.entries(fields)) {
    const [path, value] = [`${where}.${name}`, doc[name]];
    if (typeof field === "object" && "each" in field)
      after[name] = Array.isArray(value) ? value.map((one: Row) => planted(one, field.each, path)) : value;
    else if (typeof field === "object" && "within" in field)
      after[name] = value && typeof value === "object" ? planted(value as Row, field.within, path) : value;
    else if (field !== "counted" && takesWords(name, where)) after[name] = worded(value, path) ?? value;
    if (after[name] === undefined) delete after[name];
  }
  return after;
}

/** Each document gets unique text, because some of these fields are unique. */
let count = 0;

function worded(value: unknown, path: string): unknown {
  const words = `${wordsOf(path)}${count++}`;
  const shaped = SHAPED[path];
  if (shaped) return shaped(words);
  if (value instanceof Date || typeof value === "number" || typeof value === "boolean") return undefined;
  return value && typeof value === "object" && !Array.isArray(value) ? { ...value, [words]: words } : words;
}

/** A document for a collection that the account's life has left empty. */
function made(fields: Fields, { accountId, email }: { accountId: string; email: string }): Row {
  const entries = Object.entries(fields).map(([name, field]): [string, unknown] => {
    if (/^(account_id|accountId|target)$/.test(name)) return [name, accountId];
    if (name === "email") return [name, email];
    if (/_at$|_until$|^at$|^hour$|^until$|_start$|_end$/.test(name)) return [name, new Date(0)];
    return [name, madeValue(field, { accountId, email })];
  });
  return Object.fromEntries(entries);
}

function madeValue(field: FieldClass, account: { accountId: string; email: string }): unknown {
  if (typeof field !== "object") return field === "counted" ? "counted" : "";
  if ("each" in field) return [made(field.each, account)];
  return "within" in field ? null : "";
}

/** The account's rows in a collection. */
function ofAccount(accountId: string, email: string) {
  const names = ["_id", "account_id", "accountId", "target", "metadata.account_id"];
  return { $or: [...names.map((name) => ({ [name]: accountId })), { email }] } as object;
}

const LIFE: readonly Step[] = [
  { what: "complete", count: 3, hours: 1 },
  { what: "grant", count: 2, hours: 1 },
  { what: "fail", count: 2, hours: 30 },
];

/** Documents that are not only the account's, or that a job has only while it runs. */
const ELSEWHERE = [
  "provider_calls",
  "demo_events",
  "bulks",
  "bulk_parts",
  "payment_events",
  "sign_in_quotas",
];
const MADE_BY_DELETION = ["account_deletions"];

const ARCHIVED = { ledger: ENTRY_FACTS_FIELDS, jobs: JOB_FIELDS, workflows: WORKFLOW_FIELDS };

async function plant(
  { accountId, email }: { accountId: string; email: string },
  isMeant = (_name: string) => true,
): Promise<void> {
  for (const { name, fields } of CLASSIFIED.filter((one) => isMeant(one.name))) {
    if ([...ELSEWHERE, ...MADE_BY_DELETION].includes(name)) continue;
    for (const row of await rowsOf(name).find(ofAccount(accountId, email)).toArray())
      await rowsOf(name).replaceOne({ _id: row._id }, planted(row, fields, name) as never);
  }
}

async function liveOn(customer: Customer): Promise<void> {
  const { app } = world;
  const request = {
    steps: [picture("a"), tune("b")],
    callback_url: "https://example.com/hook",
    metadata: { a: "b" },
  };
  const { workflow } = await run(app, customer.caller, request, `key-${app.newId("x")}`);
  await cancelWorkflow(app, { accountId: customer.accountId, workflowId: workflow._id });
  const ended = { status: "delivered", next_attempt_at: null };
  const attempt = { number: 1, at: new Date(0), http_status: 204, duration_ms: 1, error: "" };
  await rowsOf("deliveries").updateMany({}, { $set: { ...ended, attempts: [attempt] } });
}

/** Archived and live rows, and documents in all other collections, all with text. */
async function wholeAccount(): Promise<Customer & { email: string }> {
  const { app, clock } = world;
  const customer = await live(world, LIFE);
  const { accountId } = customer;
  const email = (await accounts(app.mongo.db).findOne({ _id: accountId }))?.email ?? "";
  await liveOn(customer);
  await plant({ accountId, email }, (name) => name in ARCHIVED || name === "deliveries");
  clock.advance(110 * DAY_MS);
  expect(await archiveOld(app, undefined, SMALL)).toBeGreaterThan(4);
  await liveOn(customer);
  await writeLog(app);
  for (const { name, fields } of CLASSIFIED) {
    if ([...ELSEWHERE, ...MADE_BY_DELETION].includes(name) || name.startsWith("outputs.")) continue;
    if (await rowsOf(name).countDocuments(ofAccount(accountId, email))) continue;
    const _id = IDS[name]?.(accountId) ?? `${name}_${accountId}`;
    await rowsOf(name).insertOne({ ...made(fields, { accountId, email }), ...GIVEN[name], _id });
  }
  await plant({ accountId, email });
  return { ...customer, email };
}

/** Everything that is stored, as text, with the archive's files unpacked. */
async function everything(): Promise<string> {
  const { db } = world.app.mongo;
  const texts: string[] = [];
  for (const { name } of await db.listCollections().toArray())
    for await (const row of db.collection(name).find())
      texts.push(
        JSON.stringify(row),
        name === "outputs.chunks" ? unpacked(row["data"] as { buffer: Buffer }) : "",
      );
  return texts.join("\n");
}

function unpacked({ buffer }: { buffer: Buffer }): string {
  return buffer[0] === 0x1f ? gunzipSync(buffer).toString("latin1") : buffer.toString("latin1");
}

/** The paths of fields of these classes that can contain text. */
function pathsOf(fields: Fields, where: string, classes: readonly string[]): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = `${where}.${name}`;
    if (typeof field === "object" && "each" in field) return pathsOf(field.each, path, classes);
    if (typeof field === "object" && "within" in field) return pathsOf(field.within, path, classes);
    const own = typeof field === "string" ? field : Object.keys(field)[0];
    return classes.includes(own ?? "") && takesWords(name, where) ? [path] : [];
  });
}

const planting = (classes: readonly string[], text: string) =>
  CLASSIFIED.filter(({ name }) => ![...ELSEWHERE, ...MADE_BY_DELETION].includes(name))
    .flatMap(({ name, fields }) => pathsOf(fields, name, classes))
    .filter((path) => !text.includes(wordsOf(path)));

test("an account with data in every collection is exported with everything its owner may see, and leaves nothing once it is deleted", async () => {
  const { accountId, email } = await wholeAccount();
  const { app } = world;
  const stored = await everything();
  expect(planting(["owner", "hidden"], stored)).toEqual([]);
  expect(stored.includes(NEWER)).toBe(true);

  const exported = (await Array.fromAsync(exportAccount(app, accountId))).join("");
  expect(planting(["owner"], exported)).toEqual([]);
  const hidden = CLASSIFIED.flatMap(({ name, fields }) => pathsOf(fields, name, ["hidden"]));
  expect(hidden.filter((path) => exported.includes(wordsOf(path)))).toEqual([]);

  const closed = await rowsClosed(accountId);
  expect(closed.length).toBeGreaterThan(10);
  await deleteAccount(app, accountId, email);
  await waitFor("the erasure", () => isErased(accountId, "erased_at"));
  // As requests do that had checked the account before it closed.
  for (const { name, rows } of closed) await rowsOf(name).insertMany(rows as never);
  world.clock.advance(3 * 60_000);
  await waitFor("the last erasure", () => isErased(accountId, "fields_erased_at"));
  world.clock.advance(2 * DAY_MS);
  await removeExpiredOutputs(app);

  const left = await everything();
  expect([...left.matchAll(/words-of-[\w.]+/g)].map(([words]) => words)).toEqual([]);
  expect(left.includes(email)).toBe(false);
  await expectNothingUncounted(accountId, email);
});

/** What writes them changes the account as well, which a closed account refuses. */
const WITH_THE_ACCOUNT = ["account_emails", "api_keys"];

/** The rows that the closing of the account removes and that a late request could write. */
async function rowsClosed(accountId: string): Promise<{ name: string; rows: Row[] }[]> {
  const elsewhere = [...ELSEWHERE, ...WITH_THE_ACCOUNT];
  const gone = CLASSIFIED.filter(({ name, fields }) => !isKept(fields) && !elsewhere.includes(name));
  const found = gone.map(async ({ name }) => ({
    name,
    rows: await rowsOf(name).find({ account_id: accountId }).toArray(),
  }));
  return (await Promise.all(found)).filter(({ rows }) => rows.length > 0);
}

async function isErased(accountId: string, field: "erased_at" | "fields_erased_at"): Promise<boolean> {
  await eraseDeletedAccounts(world.app);
  return (await rowsOf("account_deletions").countDocuments({ _id: accountId, [field]: { $ne: null } })) > 0;
}

async function expectNothingUncounted(accountId: string, email: string): Promise<void> {
  const { app } = world;
  const segments = await findAllSegments(app.mongo.db, accountId);
  expect(segments.length).toBeGreaterThan(4);
  const files = new Set(segments.map(({ facts }) => facts.file_id));
  for (const { name, fields } of CLASSIFIED) {
    const rows = await rowsOf(name).find(ofAccount(accountId, email)).toArray();
    const own = rows.filter(({ _id }) => !files.has(_id));
    if (!isKept(fields)) expect(own, name).toEqual([]);
    else
      expect(
        own.map((row) => splitFields(row, fields).rest).filter((rest) => Object.keys(rest).length),
        name,
      ).toEqual([]);
  }
  for (const segment of segments)
    for (const { facts, words } of await readSegment(app, segment)) {
      expect(words).toBeNull();
      expect(splitFields(facts, ARCHIVED[segment.kind]).rest, segment._id).toEqual({});
    }
}
