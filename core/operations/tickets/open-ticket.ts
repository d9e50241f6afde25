// Opens a ticket: a person's first message to support about one subject.
import { AppError, type ErrorCode } from "../../../proto/codes.ts";
import type { NewTicket } from "../../../proto/resources/ticket.ts";
import { isDuplicateKey } from "../../base/mongo/errors.ts";
import { inTx } from "../../base/mongo/in-tx.ts";
import type { App } from "../../kernel/app.ts";
import { findOwnOrder, orderByNumber } from "../../shop/orders/list-orders.ts";
import { findOwnJob } from "../../studio/jobs/get.ts";
import { freeSlot } from "./rules.ts";
import { findOpenSlots, findTicketOfForm, insertTicket, type TicketDoc } from "./store.ts";
import { tellOfTicket } from "./tell.ts";

/** The number of concurrent attempts that may take each other's slot; one more than may be open. */
const TRIES = 11;
const NOT_THEIRS: readonly ErrorCode[] = ["job_not_found", "not_found"];

/**
 * Returns the ticket, or the one that this form opened before. Throws invalid_request for a subject that does not belong to the account,
 * and rate_limited.
 */
export async function openTicket(app: App, accountId: string, wanted: NewTicket): Promise<TicketDoc> {
  const { subject, kind, about: said = "", text, form_key: formKey } = wanted;
  const known = formKey === "" ? null : await findTicketOfForm(app.mongo.db, { accountId, formKey });
  if (known) return known;
  const about = said === "" ? null : await idOfOwn(app, accountId, said);
  const at = app.clock.now();
  const ticket: TicketDoc = {
    _id: app.newId("tkt"),
    account_id: accountId,
    subject,
    kind,
    about,
    state: "open",
    ...(formKey !== "" && { form_key: formKey }),
    messages: [{ from: "person", text, at }],
    created_at: at,
    updated_at: at,
  };
  for (let tries = 1; ; tries++) {
    try {
      return await insert(app, ticket);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const same = formKey === "" ? null : await findTicketOfForm(app.mongo.db, { accountId, formKey });
      if (same) return same;
      // A ticket that was opened at the same time has the slot.
      if (tries === TRIES) throw error;
    }
  }
}

async function insert(app: App, wanted: TicketDoc): Promise<TicketDoc> {
  return inTx({ mongo: app.mongo, now: wanted.created_at }, async (tx) => {
    const taken = await findOpenSlots(app.mongo.db, wanted.account_id, tx);
    const ticket = { ...wanted, open_slot: freeSlot(taken) };
    await insertTicket(app.mongo.db, ticket, tx);
    await tellOfTicket(app, tx, { ticket, news: "opened" });
    return ticket;
  });
}

/**
 * The id of the job or order that was named by its id, or by the number on the order's page or its invoice. The words of the refusal are the
 * same whether it belongs to another account or does not exist.
 */
async function idOfOwn(app: App, accountId: string, said: string): Promise<string> {
  try {
    const numbered = await orderByNumber(app, said, accountId);
    return (numbered ?? (await (said.startsWith("job_") ? findOwnJob : findOwnOrder)(app, accountId, said)))
      ._id;
  } catch (error) {
    if (!(error instanceof AppError) || !NOT_THEIRS.includes(error.code)) throw error;
    const message = "is no order and no job of yours; copy its number from its page, or leave it out";
    throw new AppError("invalid_request", {
      message: `about ${message}.`,
      issues: [{ path: "about", message }],
    });
  }
}
