// Tickets over gRPC: who may read and write them, idempotency, mails, and a member key through a ticket.
import { beforeEach, describe, expect, test } from "vitest";
import { dropUnseenKeys, provisionTicketKey } from "../../../../core/operations/tickets/member-key.ts";
import {
  checkKeyWanted,
  checkFits,
  freeSlot,
  nextState,
  TICKET_STEPS,
} from "../../../../core/operations/tickets/rules.ts";
import { seal, unseal } from "../../../../core/operations/tickets/seal.ts";
import type { Caller } from "../../../../proto/caller.ts";
import { AppError } from "../../../../proto/codes.ts";
import { TICKET_KINDS, TICKET_STATES } from "../../../../proto/resources/ticket.ts";
import type { OpenTicketRequestInput } from "../../../../proto/types/atelier/v1/OpenTicketRequest.ts";
import { createCustomer } from "../../../support/app.ts";
import { createFakeClock } from "../../../support/clock.ts";
import { useTestCore } from "../../../support/core.ts";
import { refusalOf } from "../../../support/refusal.ts";
import { sharedByTests } from "../../../support/shared.ts";
import { memberCaller } from "../../shop/memberships/members.ts";

const NOW = "2026-11-01T12:00:00.000Z";

const clock = createFakeClock(NOW);
const core = useTestCore({ clock, env: { ATELIER_SUPPORT_EMAIL: "support@example.com" } });
const gateway = sharedByTests(async () => core.client());
const support = sharedByTests(async () => core.client());
beforeEach(() => clock.set(NOW));

type Person = { accountId: string; caller: Caller };
async function newPerson(): Promise<Person> {
  const { accountId } = await createCustomer(core.app);
  return { accountId, caller: { kind: "account", accountId, source: "app" } };
}

const TICKET: OpenTicketRequestInput = {
  subject: "Where is it?",
  kind: "licence",
  text: "I cannot find it.",
};
const open = ({ caller }: Person, ticket: OpenTicketRequestInput = {}) =>
  gateway.tickets.OpenTicket({ ...TICKET, ...ticket }, { caller });

const mailsOf = (accountId: string) =>
  core.app.mongo.db
    .collection<{ _id: string; kind: string; to: string; text: string }>("mails")
    .find({ account_id: accountId })
    .sort({ created_at: 1, _id: 1 })
    .toArray();

describe("a ticket", () => {
  test("is answered and continued in turns until it is closed, and each side gets mail", async () => {
    const ada = await newPerson();
    const opened = await open(ada);
    const { ticket_id } = opened;
    expect(opened).toMatchObject({
      ticket_id: expect.stringMatching(/^tkt_/),
      account_id: ada.accountId,
      subject: "Where is it?",
      state: "open",
      message_count: 1,
      messages: [{ from: "person", text: "I cannot find it.", at: NOW }],
      key: null,
    });
    expect(opened.about).toBeUndefined();
    clock.set("2026-11-01T13:00:00.000Z");
    const answered = await support.admin.ReplyToTicket({ ticket_id, text: "Look at /library." });
    expect(answered).toMatchObject({ state: "answered", updated_at: "2026-11-01T13:00:00.000Z" });
    const { caller } = ada;
    expect(await gateway.tickets.AddMessage({ ticket_id, text: " Thanks! " }, { caller })).toMatchObject({
      state: "open",
      messages: [{}, { from: "support" }, { from: "person", text: "Thanks!" }],
    });
    expect(await support.admin.CloseAnyTicket({ ticket_id })).toMatchObject({ state: "closed" });
    expect(await gateway.tickets.CloseTicket({ ticket_id }, { caller })).toMatchObject({ state: "closed" });
    for (const late of [
      () => gateway.tickets.AddMessage({ ticket_id, text: "One more" }, { caller }),
      () => support.admin.ReplyToTicket({ ticket_id, text: "One more" }),
    ])
      expect(await refusalOf(late())).toMatchObject({ code: "ticket_closed" });

    const mails = await mailsOf(ada.accountId);
    const { email } = await support.admin.GetAccount({ account: ada.accountId });
    expect(mails.map(({ kind, to }) => [kind, to]).sort()).toEqual([
      ["ticket.answered", email],
      ["ticket.closed", email],
      ["ticket.opened", "support@example.com"],
      ["ticket.written", "support@example.com"],
    ]);
    expect(mails.find(({ kind }) => kind === "ticket.answered")?.text).toContain("Look at /library.");
  });

  test("is opened once per form, and each message is added once, under repeated and parallel requests", async () => {
    const ada = await newPerson();
    const both = await Promise.all([0, 1, 2].map(() => open(ada, { form_key: "form-1" })));
    expect(new Set(both.map(({ ticket_id }) => ticket_id)).size).toBe(1);
    const { ticket_id } = await open(ada, { form_key: "form-1", text: "Something else" });
    const { caller } = ada;
    const said = { ticket_id, text: "Again", form_key: "form-2" };
    await Promise.all([0, 1, 2].map(() => gateway.tickets.AddMessage(said, { caller })));
    await gateway.tickets.AddMessage({ ...said, form_key: "form-1" }, { caller });
    const { messages } = await gateway.tickets.GetTicket({ ticket_id }, { caller });
    expect(messages.map(({ text }) => text)).toEqual(["I cannot find it.", "Again"]);
    expect((await mailsOf(ada.accountId)).map(({ kind }) => kind).sort()).toEqual([
      "ticket.opened",
      "ticket.written",
    ]);
    const eve = await newPerson();
    expect((await open(eve, { form_key: "form-1" })).ticket_id).not.toBe(ticket_id);
  });

  test("can refer to a job or an order of its own account only", async () => {
    const [ada, eve] = [await newPerson(), await newPerson()];
    const job = { modality: "image", model_slug: "picture", prompt: "a tower", params_json: "{}" };
    const { job_id } = await gateway.jobs.Generate(job, { caller: ada.caller });
    expect(await open(ada, { kind: "generation", about: job_id })).toMatchObject({ about: job_id });
    const placed = { idempotency_key: "hers", expected_cents: 500, pack: { pack: "small" } };
    const { order_id } = await gateway.orders.PlaceOrder(placed, { caller: ada.caller });
    expect(await open(ada, { kind: "order", about: order_id })).toMatchObject({ about: order_id });
    // Customers know an order by its number.
    const { number } = await gateway.orders.GetOrder({ order_id }, { caller: ada.caller });
    for (const typed of [number, number.toLowerCase()])
      expect(await open(ada, { kind: "order", about: typed })).toMatchObject({ about: order_id });
    const foreign = await refusalOf(open(eve, { about: job_id }));
    expect(await refusalOf(open(eve, { about: number }))).toEqual(foreign);
    expect(await refusalOf(open(eve, { about: order_id }))).toEqual(foreign);
    expect(foreign).toMatchObject({ code: "invalid_request", issues: [{ path: "about" }] });
    expect(await refusalOf(open(eve, { about: "job_never" }))).toEqual(foreign);
    expect(await refusalOf(open(eve, { about: "ord_never" }))).toEqual(foreign);
  });

  test.each<[string, OpenTicketRequestInput, string]>([
    ["without a subject", { subject: " " }, "subject must not be empty"],
    ["with a subject of two lines", { subject: "a\nb" }, "subject must be one line"],
    ["with a long subject", { subject: "x".repeat(121) }, "subject must have at most 120 characters"],
    ["of another kind", { kind: "gossip" }, "kind must be"],
    ["without a message", { text: "\n" }, "text must not be empty"],
    ["with a huge message", { text: "x".repeat(500_000) }, "text must have at most 4000 characters"],
    ["with a long message", { text: "é".repeat(4_001) }, "text must have at most 4000 characters"],
    ["with a NUL", { text: "a\u0000b" }, "text has signs that are no text"],
  ])("is refused %s", async (_what, wrong, words) => {
    const refusal = (await refusalOf(open(await newPerson(), wrong))) as { code: string; message: string };
    expect(refusal.code).toBe("invalid_request");
    expect(refusal.message).toContain(words);
  });

  test("is limited to ten per account that are not closed, under parallel requests", async () => {
    const ada = await newPerson();
    const answers = await Promise.all(
      Array.from({ length: 13 }, () => open(ada).catch((error: unknown) => error)),
    );
    const made = answers.filter((answer) => !(answer instanceof Error)) as { ticket_id: string }[];
    expect(made).toHaveLength(10);
    expect(await refusalOf(open(ada))).toMatchObject({
      code: "rate_limited",
      hint: "Write on one of them, or close one that is done.",
    });
    await gateway.tickets.CloseTicket({ ticket_id: made[4]?.ticket_id ?? "" }, { caller: ada.caller });
    await open(ada);
    expect(await refusalOf(open(ada))).toMatchObject({ code: "rate_limited" });
  });

  test("is listed by last change, in pages, for its owner and for support by state", async () => {
    const ada = await newPerson();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      clock.set(`2026-11-02T12:0${n}:00.000Z`);
      ids.push((await open(ada, { subject: `Number ${n}` })).ticket_id);
    }
    clock.set("2026-11-02T13:00:00.000Z");
    await support.admin.ReplyToTicket({ ticket_id: ids[1] ?? "", text: "Yes." });
    const { caller } = ada;
    const listed: string[] = [];
    let cursor = "";
    do {
      const page = await gateway.tickets.ListTickets({ limit: 2, cursor }, { caller });
      listed.push(...page.tickets.map(({ ticket_id }) => ticket_id));
      cursor = page.next_cursor;
    } while (cursor);
    expect(listed).toEqual([1, 4, 3, 2, 0].map((n) => ids[n]));
    const waiting = await support.admin.ListAllTickets({ state: "open", account: ada.accountId });
    expect(waiting.tickets.map(({ ticket_id }) => ticket_id)).toEqual([4, 3, 2, 0].map((n) => ids[n]));
    expect(waiting.tickets[0]).toMatchObject({ subject: "Number 4", message_count: 1 });
    for (const wrong of [{ state: "lost" }, { cursor: "nonsense" }, { limit: 101 }])
      expect(await refusalOf(support.admin.ListAllTickets(wrong))).toMatchObject({ code: "invalid_request" });
  });
});

describe("a member key by ticket", () => {
  async function member(): Promise<Person & { ticketId: string }> {
    const person = await newPerson();
    await support.admin.SetMembership({
      account: person.accountId,
      tier: "plus",
      until: "2030-01-01T00:00:00Z",
    });
    const { ticket_id } = await open(person, { kind: "member_key", subject: "A key, please" });
    return { ...person, ticketId: ticket_id };
  }
  const provision = (ticket_id: string) => support.admin.ProvisionTicketKey({ ticket_id, name: "assistant" });

  test("[SHOP-24] is shown to its owner once, opens the member tools, and is stored only sealed", async () => {
    const { caller, accountId, ticketId: ticket_id } = await member();
    const answered = await provision(ticket_id);
    expect(answered).toMatchObject({
      state: "answered",
      key: { key_id: expect.stringMatching(/^key_/), state: "waiting", until: "2026-11-08T12:00:00.000Z" },
    });
    const { secret, key_id } = await gateway.tickets.TakeKey({ ticket_id }, { caller });
    expect(key_id).toBe(answered.key?.key_id);
    const identity = await gateway.memberships.Authenticate({}, { caller: memberCaller(secret) });
    expect(identity.account_id).toBe(accountId);
    const seen = [0, 1].map(() => refusalOf(gateway.tickets.TakeKey({ ticket_id }, { caller })));
    for (const refusal of await Promise.all(seen))
      expect(refusal).toMatchObject({
        code: "not_found",
        message: expect.stringContaining("it was seen already"),
      });
    expect(await gateway.tickets.GetTicket({ ticket_id }, { caller })).toMatchObject({
      key: { state: "seen" },
    });
    const mails = await mailsOf(accountId);
    expect(mails.map(({ kind }) => kind)).toContain("ticket.key");
    for (const name of ["tickets", "mails", "admin_log"]) {
      const all = JSON.stringify(await core.app.mongo.db.collection(name).find().toArray());
      expect(all.includes(secret.slice("atl_mem_".length)), name).toBe(false);
    }
  });

  test("is shown to one of several parallel requests", async () => {
    const { caller, ticketId: ticket_id } = await member();
    await provision(ticket_id);
    const answers = await Promise.allSettled(
      Array.from({ length: 5 }, () => gateway.tickets.TakeKey({ ticket_id }, { caller })),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("is created only for a membership with the tools, and for a ticket that asks for it", async () => {
    const person = await newPerson();
    const { ticket_id } = await open(person, { kind: "member_key" });
    expect(await refusalOf(provision(ticket_id))).toMatchObject({ code: "membership_required" });
    const { ticketId, ...owner } = await member();
    const other = await open(owner);
    expect(await refusalOf(provision(other.ticket_id))).toMatchObject({ code: "invalid_request" });
    await provision(ticketId);
    expect(await refusalOf(provision(ticketId))).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "ticket_id", message: expect.stringContaining("has a key already") }],
    });
    const { keys } = await support.admin.ListMemberKeys({ account: owner.accountId });
    expect(keys.filter(({ revoked_at }) => !revoked_at)).toHaveLength(1);
  });

  test("is revoked immediately when another one was put there first", async () => {
    const { accountId, ticketId } = await member();
    const wanted = { name: "assistant", expiresAt: null };
    const answers = await Promise.allSettled(
      [0, 1].map(() => provisionTicketKey(core.app, ticketId, wanted)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const { keys } = await support.admin.ListMemberKeys({ account: accountId });
    expect(keys.filter(({ revoked_at }) => !revoked_at)).toHaveLength(1);
  });

  test("is gone and refused when its owner did not fetch it for seven days", async () => {
    const { caller, ticketId: ticket_id, accountId } = await member();
    await provision(ticket_id);
    clock.set("2026-11-08T11:59:59.000Z");
    await dropUnseenKeys(core.app);
    expect(await gateway.tickets.GetTicket({ ticket_id }, { caller })).toMatchObject({
      key: { state: "waiting" },
    });
    clock.set("2026-11-08T12:00:00.000Z");
    expect(await refusalOf(gateway.tickets.TakeKey({ ticket_id }, { caller }))).toMatchObject({
      code: "not_found",
    });
    await dropUnseenKeys(core.app);
    expect(await gateway.tickets.GetTicket({ ticket_id }, { caller })).toMatchObject({
      key: { state: "gone" },
    });
    const { keys } = await support.admin.ListMemberKeys({ account: accountId });
    expect(keys.every(({ revoked_at }) => revoked_at)).toBe(true);
    expect(
      await core.app.mongo.db
        .collection("tickets")
        .countDocuments({ "key.sealed": { $exists: true }, account_id: accountId }),
    ).toBe(0);
    await provision(ticket_id);
  });

  test("is sealed: it does not open with another secret, on another ticket or altered", () => {
    const sealed = seal(["secret"], "tkt_1", "atl_mem_words");
    expect(unseal(["secret"], "tkt_1", sealed)).toBe("atl_mem_words");
    expect(unseal(["newer", "secret"], "tkt_1", sealed)).toBe("atl_mem_words");
    expect(sealed).not.toBe(seal(["secret"], "tkt_1", "atl_mem_words"));
    for (const opened of [
      unseal(["other"], "tkt_1", sealed),
      unseal(["secret"], "tkt_2", sealed),
      unseal(["secret"], "tkt_1", `A${sealed.slice(1)}`),
      unseal(["secret"], "tkt_1", sealed.slice(0, 20)),
      unseal(["secret"], "tkt_1", ""),
    ])
      expect(opened).toBeUndefined();
  });
});

// Every state of a ticket with every transition.
function outcome<T>(decide: () => T): T | string {
  try {
    return decide();
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

test("a ticket makes exactly the transitions of the table", () => {
  const table = TICKET_STATES.flatMap((state) =>
    TICKET_STEPS.map((step) => `${state} + ${step} = ${outcome(() => nextState(state, step))}`),
  );
  expect(table).toEqual([
    "open + person_writes = open",
    "open + support_writes = answered",
    "open + close = closed",
    "answered + person_writes = open",
    "answered + support_writes = answered",
    "answered + close = closed",
    "closed + person_writes = ticket_closed",
    "closed + support_writes = ticket_closed",
    "closed + close = closed",
  ]);
});

test("a key is put only on an open or answered ticket that asks for it, of a member, without a waiting key", () => {
  const all = TICKET_KINDS.flatMap((kind) =>
    TICKET_STATES.flatMap((state) =>
      [false, true].flatMap((hasWaitingKey) =>
        [false, true].map((memberTools) => ({ kind, state, hasWaitingKey, memberTools })),
      ),
    ),
  );
  const allowed = all.filter(
    ({ memberTools, ...ticket }) => outcome(() => checkKeyWanted({ ticket, memberTools })) === undefined,
  );
  const wanted = { kind: "member_key", hasWaitingKey: false, memberTools: true };
  expect(allowed).toEqual([
    { ...wanted, state: "open" },
    { ...wanted, state: "answered" },
  ]);
  const ticket = { kind: "member_key", state: "open", hasWaitingKey: false } as const;
  expect(outcome(() => checkKeyWanted({ ticket, memberTools: false }))).toBe("membership_required");
});

test("slots are assigned from the lowest, and none above the last", () => {
  expect(freeSlot([])).toBe(1);
  expect(freeSlot([1, 2, 4])).toBe(3);
  expect(outcome(() => freeSlot([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]))).toBe("rate_limited");
});

test("a ticket holds two hundred messages", () => {
  expect(outcome(() => checkFits(199))).toBeUndefined();
  expect(outcome(() => checkFits(200))).toBe("ticket_closed");
});
