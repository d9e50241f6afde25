// The audit skips collections in which an account has no rows, so each single row must be found.
import { beforeEach, expect, test } from "vitest";
import { inSnapshot } from "../../../../core/base/mongo/in-tx.ts";
import { findPresence, type Kind } from "../../../../core/operations/audit/store-presence.ts";
import { useTestApp } from "../../../support/app.ts";

const [BEFORE, OWNER, AFTER] = ["acc_1", "acc_2", "acc_3"];

const ROWS: Record<Kind, { _id: string; account_id?: string }> = {
  jobs: { _id: "job_1", account_id: OWNER },
  workflows: { _id: "wfl_1", account_id: OWNER },
  orders: { _id: "ord_1", account_id: OWNER },
  payments: { _id: "pay_1", account_id: OWNER },
  licences: { _id: "lic_1", account_id: OWNER },
  subscriptions: { _id: "sub_1", account_id: OWNER },
  holds: { _id: "hold_1", account_id: OWNER },
  api_keys: { _id: "key_1", account_id: OWNER },
  provider_costs: { _id: "cst_1", account_id: OWNER },
  archive_segments: { _id: `${OWNER}/jobs/00000001` },
  idempotency_keys: { _id: `${OWNER} a key/of "any" sort` },
  log_heads: { _id: `${OWNER}/000001/000000000001` },
};
const KINDS = Object.keys(ROWS) as Kind[];

const testApp = useTestApp();
beforeEach(() => testApp.empty());

test.for(KINDS)("a row of %s is found for its own account only", async (kind) => {
  const { mongo } = testApp.app;
  await mongo.db.collection<{ _id: string }>(kind).insertOne(ROWS[kind]);
  for (const asked of [[BEFORE, OWNER, AFTER], [OWNER]]) {
    const has = await inSnapshot(mongo, (db, snapshot) => findPresence(db, asked, snapshot));
    const found = KINDS.flatMap((each) => asked.filter((id) => has(each, id)).map((id) => `${each} ${id}`));
    expect(found).toEqual([`${kind} ${OWNER}`]);
  }
});
