// atelier ticket list | show | reply | close | provision-key
import { type Command, Option } from "commander";
import { TICKET_STATES } from "../../proto/resources/ticket.ts";
import type { Ticket } from "../../proto/types/atelier/v1/Ticket.ts";
import { counted, fields, listing } from "../layout.ts";
import { time } from "../parse.ts";
import type { Cli } from "../session.ts";

type ListOptions = { state: string; account: string; cursor: string };

export function addTicketCommands(program: Command, cli: Cli): void {
  const ticket = program
    .command("ticket")
    .description("read and answer support tickets (needs --reason to change)");

  ticket
    .command("list")
    .description("list tickets, last changed first")
    .addOption(new Option("--state <state>", "only these").choices(TICKET_STATES).default("open"))
    .addOption(new Option("--all", "in any state").implies({ state: "" }))
    .option("--account <account>", "only of this account", "")
    .option("--cursor <cursor>", "next_cursor of the previous page", "")
    .action(async ({ state, account, cursor }: ListOptions) => {
      const page = await cli.withCore((core) => core.admin.ListAllTickets({ state, account, cursor }));
      cli.show(
        page,
        listing(
          ["TICKET", "STATE", "KIND", "ACCOUNT", "CHANGED", "MESSAGES", "SUBJECT"],
          page.tickets.map((row) => [
            row.ticket_id,
            row.state,
            row.kind,
            row.account_id,
            row.updated_at,
            String(row.message_count),
            row.subject,
          ]),
          { nothing: "no tickets", cursor: page.next_cursor },
        ),
      );
    });

  ticket
    .command("show <ticket_id>")
    .description("show a ticket with its messages")
    .action(async (ticketId: string) => {
      const shown = await cli.withCore((core) => core.admin.GetAnyTicket({ ticket_id: ticketId }));
      cli.show(shown, describe(shown));
    });

  ticket
    .command("reply <ticket_id>")
    .description("answer a ticket; the user is notified by mail")
    .requiredOption("--text <text>", "text of the reply")
    .action(async (ticketId: string, { text }: { text: string }) => {
      const answered = await cli.withCore((core) => core.admin.ReplyToTicket({ ticket_id: ticketId, text }));
      cli.show(
        answered,
        `${answered.ticket_id} is ${answered.state}, ${counted(answered.message_count, "message")}`,
      );
    });

  ticket
    .command("close <ticket_id>")
    .description("close a ticket, so that no one can add messages")
    .action(async (ticketId: string) => {
      const closed = await cli.withCore((core) => core.admin.CloseAnyTicket({ ticket_id: ticketId }));
      cli.show(closed, `${closed.ticket_id} is ${closed.state}`);
    });

  ticket
    .command("provision-key <ticket_id>")
    .description("create the member key that a ticket requests; only its owner sees it, once, on the ticket")
    .requiredOption("--name <name>", "purpose of the key")
    .option("--expires <time>", "date or time at which the key expires", time)
    .action(async (ticketId: string, { name, expires }: { name: string; expires?: string }) => {
      const done = await cli.withCore((core) =>
        core.admin.ProvisionTicketKey({ ticket_id: ticketId, name, ...(expires && { expires_at: expires }) }),
      );
      cli.show(
        done,
        `${done.key?.key_id} waits on ${done.ticket_id} until ${done.key?.until}; the user is notified by mail`,
      );
    });
}

function describe({ messages, key, ...ticket }: Ticket): string {
  const head = fields([
    ["ticket", ticket.ticket_id],
    ["account", ticket.account_id],
    ["subject", ticket.subject],
    ["kind", ticket.kind],
    ["about", ticket.about ?? "nothing in particular"],
    ["state", ticket.state],
    ["key", key ? `${key.key_id}, ${key.state}` : "none"],
  ]);
  const said = messages.map(({ from, at, text }) => `--- ${from}, ${at}\n${printable(text)}`);
  return [head, ...said].join("\n\n");
}

/** A user's text keeps its lines, and cannot control the terminal. */
function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]|[\p{Cf}\u2028\u2029]/gu, "\u{FFFD}");
}
