// The mails about a ticket, written with the change that they report: the person hears from support, and support from the person.
import { publicUrls } from "../../../runtime/public-urls.ts";
import type { TxContext } from "../../base/mongo/in-tx.ts";
import { getAccount } from "../../identity/accounts/get-account.ts";
import type { App } from "../../kernel/app.ts";
import { queueMail } from "../../kernel/mail/queue.ts";
import type { TicketDoc } from "./store.ts";

export type TicketUpdate = "opened" | "written" | "answered" | "key" | "closed";

/** No one is told if support has no address, or about their own action. Throws if the account is gone. */
export async function tellOfTicket(
  app: App,
  tx: TxContext,
  { ticket, news }: { ticket: TicketDoc; news: TicketUpdate },
): Promise<void> {
  const forSupport = news === "opened" || news === "written";
  const { email } = await getAccount(app, ticket.account_id);
  const to = forSupport ? app.config.supportEmail : email;
  if (to === undefined) return;
  await queueMail(app, tx, {
    accountId: ticket.account_id,
    to,
    ...(forSupport ? wordsForSupport(ticket, news, email) : wordsForPerson(app, ticket, news)),
    kind: `ticket.${news}`,
    // There is one mail for each message on a ticket.
    ref: `${ticket._id}.${ticket.messages.length}`,
  });
}

type Words = { subject: string; text: string };

function wordsForSupport(ticket: TicketDoc, news: TicketUpdate, email: string): Words {
  const { _id, subject, kind, about } = ticket;
  return {
    subject: `${news === "opened" ? "New ticket" : "Re"}: ${subject} [${_id}]`,
    text: `${email} ${news === "opened" ? "has opened a ticket" : "has written on a ticket"}:

  Ticket   ${_id}
  Kind     ${kind}
${about === null ? "" : `  About    ${about}\n`}
${lastText(ticket)}

Answer it with: npm run atelier -- ticket reply ${_id} --text "…" --reason "…"
`,
  };
}

function wordsForPerson(app: App, ticket: TicketDoc, news: TicketUpdate): Words {
  const { _id, subject } = ticket;
  const address = `${publicUrls(app.config).baseUrl}/support/${_id}`;
  const said = {
    answered: `Support has answered you:\n\n${lastText(ticket)}\n\nRead and reply: ${address}`,
    key: `Your member key is ready. You can see it once, within the next seven days, from the ticket.\n\nOpen the ticket: ${address}`,
    closed: `Support has closed your ticket. You can still read it.\n\nOpen the ticket: ${address}`,
  };
  return {
    subject: `Your ticket: ${subject}`,
    text: `${said[news as keyof typeof said]}\n`,
  };
}

function lastText({ messages }: TicketDoc): string {
  return messages.at(-1)?.text ?? "";
}
