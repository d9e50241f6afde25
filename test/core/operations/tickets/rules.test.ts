// Every state of a ticket with every transition.
import { expect, test } from "vitest";
import {
  checkKeyWanted,
  checkFits,
  freeSlot,
  nextState,
  TICKET_STEPS,
} from "../../../../core/operations/tickets/rules.ts";
import { AppError } from "../../../../proto/codes.ts";
import { TICKET_KINDS, TICKET_STATES } from "../../../../proto/resources/ticket.ts";

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
