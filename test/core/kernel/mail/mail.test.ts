// The outbox: one mail for each cause, sent at least once, retried and given up in time.
import { beforeEach, describe, expect, test } from "vitest";
import { inTx } from "../../../../core/base/mongo/in-tx.ts";
import { NO_WORK } from "../../../../core/base/work/rules.ts";
import { queueMail, sendAgain } from "../../../../core/kernel/mail/queue.ts";
import { decideNext, classifyFailure, SCHEDULE } from "../../../../core/kernel/mail/rules.ts";
import { sendDueMails } from "../../../../core/kernel/mail/send.ts";
import { loadConfig } from "../../../../runtime/config/config.ts";
import { createLog } from "../../../../runtime/log/log.ts";
import { createMailer, type Mail, type Mailer } from "../../../../runtime/mail.ts";
import { useTestApp } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { startMailServer } from "../../../support/mail-server.ts";
import { refusalOf } from "../../../support/refusal.ts";

const clock = createFakeClock();
let sent: Mail[] = [];
let failure: Error | undefined;
const mailer: Mailer = {
  send: async (mail) => {
    if (failure) throw failure;
    sent.push(mail);
  },
  close: () => {},
};

const world = useTestApp({ clock });
beforeEach(async () => {
  await world.database.mongo.db.collection("mails").deleteMany({});
  sent = [];
  failure = undefined;
});

const send = () => sendDueMails(world.app, { mailer, random: () => 0 });
const stored = () => world.database.mongo.db.collection("mails").findOne({});

async function queue(
  accountId: string,
  ref: string,
  { session, notAfter }: { session?: "aborted"; notAfter?: Date } = {},
): Promise<void> {
  const mail = {
    accountId,
    to: "ada@example.com",
    subject: "Receipt",
    text: "Thank you.\n",
    ...(notAfter && { notAfter }),
  };
  await inTx(world.app, async (tx) => {
    await queueMail(world.app, tx, { ...mail, kind: "order.receipt", ref });
    if (session === "aborted") throw new Error("undone");
  });
}

describe("queueing mail", () => {
  test("ignores a repeated cause, before and after the mail was sent", async () => {
    await queue("acc_1", "ord_1");
    await queue("acc_1", "ord_1");
    expect(await send()).toBe(1);
    await queue("acc_1", "ord_1");
    expect(await send()).toBe(0);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ to: "ada@example.com", subject: "Receipt", text: "Thank you.\n" });
  });

  test("leaves no mail of an aborted transaction", async () => {
    await expect(queue("acc_1", "ord_2", { session: "aborted" })).rejects.toThrow("undone");
    expect(await send()).toBe(0);
  });
});

describe("[SHOP-08] sending mail", () => {
  test("is retried with growing waits, and then given up", async () => {
    await queue("acc_1", "ord_3");
    failure = Object.assign(new Error("no"), { code: "ECONNREFUSED" });
    for (const waitMs of [0, ...SCHEDULE.waitsMs]) {
      clock.advance(Math.max(0, waitMs - 1));
      if (waitMs > 0) expect(await send()).toBe(0);
      clock.advance(1);
      expect(await send()).toBe(1);
    }
    expect(await stored()).toMatchObject({
      status: "failed",
      work: { ...NO_WORK, attempts: SCHEDULE.waitsMs.length + 1 },
      last_error: "ECONNREFUSED",
    });
  });

  test("resumes after a lost sender with the same Message-ID", async () => {
    await queue("acc_1", "ord_4");
    let lost: Mail | undefined;
    const frozen = Promise.withResolvers<void>();
    const stuck: Mailer = {
      send: (mail) => {
        lost = mail;
        return frozen.promise;
      },
      close: () => {},
    };
    const late = sendDueMails(world.app, { mailer: stuck });
    await expect.poll(() => lost).toBeDefined();
    expect(await send()).toBe(0);
    clock.advance(2 * 60_000 + 1);
    expect(await send()).toBe(1);
    expect(sent[0]?.messageId).toBe(lost?.messageId);
    const before = await stored();
    frozen.reject(new Error("the sender that was lost comes back"));
    await late;
    expect(await stored()).toEqual(before);
  });

  test("sends each mail once with two senders", async () => {
    for (let i = 0; i < 15; i++) await queue("acc_1", `ord_many_${i}`);
    let took = 0;
    do took = (await Promise.all([send(), send()])).reduce((a, b) => a + b, 0);
    while (took > 0);
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(15);
    expect(sent).toHaveLength(15);
  });

  test("stops at a permanent refusal, and after a week", async () => {
    await queue("acc_1", "ord_5");
    failure = Object.assign(new Error("no such mailbox"), {
      code: "EENVELOPE",
      responseCode: 550,
      command: "RCPT TO",
    });
    await send();
    expect(await stored()).toMatchObject({
      status: "failed",
      work: { attempts: 1 },
      last_error: "EENVELOPE 550",
    });
    await world.database.mongo.db.collection("mails").deleteMany({});
    failure = undefined;
    await queue("acc_1", "ord_6");
    clock.advance(8 * 24 * 3_600_000);
    await send();
    expect(sent).toEqual([]);
    expect(await stored()).toMatchObject({ status: "failed", last_error: "too old" });
  });

  test("drops a mail whose time is over, also when it is sent again", async () => {
    const notAfter = new Date(clock.now().getTime() + 15 * 60_000);
    failure = Object.assign(new Error("no"), { code: "ECONNREFUSED" });
    await queue("acc_1", "cnf_1", { notAfter });
    await send();
    failure = undefined;
    clock.advance(15 * 60_000);
    await send();
    expect(sent).toEqual([]);
    expect(await stored()).toMatchObject({ status: "failed", last_error: "too old" });
    expect(await refusalOf(sendAgain(world.app, "cnf_1:order.receipt"))).toMatchObject({
      code: "invalid_request",
    });
    await queue("acc_1", "cnf_2", { notAfter: new Date(clock.now().getTime() + 1) });
    await send();
    expect(sent).toHaveLength(1);
  });

  test("reaches a real server with one id for all tries", async () => {
    const server = await startMailServer();
    const real = createMailer(loadConfig({ ATELIER_SMTP_URL: server.url }), createLog("silent", "test"));
    if (!real) throw new Error("there is a server");
    await queue("acc_1", "ord_7");
    await sendDueMails(world.app, { mailer: real });
    real.close();
    expect(server.received[0]?.raw).toContain("Message-ID: <ord_7-order.receipt@atelier>");
    await server.close();
  });
});

test("a failure is reported without the server's words", () => {
  expect(classifyFailure(new Error("host mail.internal"))).toEqual({ error: "not sent", isFinal: false });
  expect(classifyFailure({ code: "EAUTH", responseCode: 535, command: "AUTH PLAIN" })).toEqual({
    error: "EAUTH 535",
    isFinal: false,
  });
  expect(decideNext(1, { error: null, isFinal: false }, new Date(0), 0).status).toBe("sent");
});
