// What is new for an account's owner: each kind of entry, the read mark, and the number in the header.
import { beforeAll, describe, expect, test } from "vitest";
import { markInboxRead } from "../../../core/identity/accounts/change-settings.ts";
import { getAccount } from "../../../core/identity/accounts/get-account.ts";
import { countUnread, listInbox } from "../../../core/operations/inbox/read-inbox.ts";
import { createCustomer, useTestApp } from "../../support/app.ts";
import { createFakeClock } from "../../support/clock.ts";
import { refusalOf } from "../../support/refusal.ts";

/** Far in the future, because MongoDB removes expired approvals by the real time. */
const clock = createFakeClock("2099-01-30T15:00:00.000Z");
const at = (hour: number, day = 30) => new Date(Date.UTC(2099, 0, day, hour));
const approval = { key_id: "key_1", key_name: "agent", credits: 40, above: 20, expires_at: at(16) };
const asked = { modality: "image", model_slug: "picture", prompt: "a pier", params: {}, callback_url: null };

type Doc = { _id: string } & Record<string, unknown>;

let accountId: string;
const testApp = useTestApp({ clock });
beforeAll(async () => {
  accountId = (await createCustomer(testApp.app)).accountId;
  await Promise.all([accountId, "acc_other"].map(fill));
});

async function fill(account_id: string): Promise<void> {
  const put = (name: string, docs: Record<string, unknown>[]) =>
    testApp.app.mongo.db
      .collection<Doc>(name)
      .insertMany(docs.map((doc, i): Doc => ({ _id: `${name} ${i} of ${account_id}`, account_id, ...doc })));
  const job = (state: string, ended_at: Date | null) => {
    const _id = testApp.app.newId("job");
    return { _id, state, ended_at, modality: "image", prompt: `${state} `.repeat(100) };
  };
  await put("jobs", [
    job("completed", at(10)),
    job("failed", at(11)),
    job("cancelled", at(11)),
    job("running", null),
    // More than 30 days ago.
    job("completed", at(0, -5)),
  ]);
  const ticket = { kind: "other", messages: [] };
  await put("tickets", [
    { ...ticket, state: "answered", subject: "Where is it?", updated_at: at(12) },
    { ...ticket, state: "open", subject: "And now?", updated_at: at(13) },
  ]);
  const order = (idempotency_key: string, ...events: [type: string, at: Date][]) => {
    const isFree = idempotency_key === "free";
    return {
      idempotency_key,
      items: [{ name: idempotency_key }],
      amount_cents: 800,
      tax_cents: 100,
      events: events.map(([type, when]) => ({ type, at: when })),
      payment_ref: isFree ? null : idempotency_key,
      receipt_number: isFree ? null : "2099-000001",
      paid_at: events[0]?.[1],
    };
  };
  await put("orders", [
    order("kit", ["paid", at(13)]),
    order("font", ["paid", at(1)], ["noted", at(2)], ["refunded", at(14)]),
    order("free", ["paid", at(13)]),
  ]);
  await put("confirmations", [
    { ...approval, confirmation_id: "cnf_1", state: "asked", created_at: at(9), jobs: [asked] },
    { ...approval, confirmation_id: "cnf_2", state: "yes", created_at: at(9), jobs: [asked] },
  ]);
}

const account = () => getAccount(testApp.app, accountId);
const list = async () => listInbox(testApp.app, await account());

describe("the inbox", () => {
  test("lists what waits, then the ends of jobs, answers, receipts and refunds, newest first", async () => {
    expect(await list()).toEqual(
      [
        {
          kind: "approval",
          at: at(9),
          about: 'image with Picture: "a pier"',
          key_name: "agent",
          credits: 40,
        },
        { kind: "refund", at: at(14), about: "font", receipt_number: "2099-000001", amount_cents: 900 },
        { kind: "receipt", at: at(13), about: "kit", receipt_number: "2099-000001", amount_cents: 900 },
        { kind: "answer", at: at(12), about: "Where is it?" },
        { kind: "failed", at: at(11), about: "failed ".repeat(100).slice(0, 200), modality: "image" },
        { kind: "completed", at: at(10), about: "completed ".repeat(20), modality: "image" },
      ].map((entry) => ({ ...entry, unread: true, id: expect.any(String) })),
    );
  });

  test("counts the unread entries that it lists, whatever the read mark; the mark never goes back", async () => {
    const unread = async () => {
      const counted = await countUnread(testApp.app, await account());
      expect((await list()).filter((entry) => entry.unread)).toHaveLength(counted);
      return counted;
    };
    const marks: [until: Date, unread: number][] = [
      [at(0, 1), 6],
      [at(11), 4],
      [at(10), 4],
      [at(13), 2],
      // In the future, which counts as now.
      [at(20), 1],
    ];
    const seen: number[] = [];
    for (const [until] of marks) {
      await markInboxRead(testApp.app, accountId, until);
      seen.push(await unread());
    }
    expect(seen).toEqual(marks.map(([, expected]) => expected));
    expect((await account()).inbox_read_at).toEqual(clock.now());
    expect(await refusalOf(markInboxRead(testApp.app, accountId, new Date(Number.NaN)))).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "until" }],
    });
  });

  test("has at most 50 entries, of which an approval that waits is one", async () => {
    clock.set(at(15, 31));
    const jobs = Array.from({ length: 60 }, () => ({
      _id: testApp.app.newId("job"),
      account_id: accountId,
      state: "completed",
      ended_at: at(14, 31),
      modality: "image",
      prompt: "a pier",
    }));
    const { db } = testApp.app.mongo;
    await db.collection<Doc>("jobs").insertMany(jobs);
    await db
      .collection<Doc>("confirmations")
      .updateMany({ account_id: accountId }, { $set: { expires_at: at(16, 31) } });
    const listed = await list();
    expect([listed.length, listed[0]?.kind, listed[1]?.kind]).toEqual([50, "approval", "completed"]);
    expect(await countUnread(testApp.app, await account())).toBe(50);
  });
});
