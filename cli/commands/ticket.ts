// atelier ticket list | show | reply | close | provision-key
import { type Command, Option } from "commander";
import { TICKET_STATES } from "../../proto/resources/ticket.ts";
import type { Ticket } from "../../proto/types/atelier/v1/Ticket.ts";
import type { TicketSummary } from "../../proto/types/atelier/v1/TicketSummary.ts";
import { type Columns, counted, fields, listing } from "../layout.ts";
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
    .action(({ state, account, cursor: from }: ListOptions) =>
      cli.report(
        (core) => core.admin.ListAllTickets({ state, account, cursor: from }),
        ({ tickets, next_cursor: cursor }) => listing(tickets, COLUMNS, { nothing: "no tickets", cursor }),
      ),
    );

  ticket
    .command("show <ticket_id>")
    .description("show a ticket with its messages")
    .action((id: string) => cli.report((core) => core.admin.GetAnyTicket({ ticket_id: id }), describe));

  ticket
    .command("reply <ticket_id>")
    .description("answer a ticket; the user is notified by mail")
    .requiredOption("--text <text>", "text of the reply")
    .action((id: string, { text }: { text: string }) =>
      cli.report(
        (core) => core.admin.ReplyToTicket({ ticket_id: id, text }),
        ({ ticket_id, state, message_count }) =>
          `${ticket_id} is ${state}, ${counted(message_count, "message")}`,
      ),
    );

  ticket
    .command("close <ticket_id>")
    .description("close a ticket, so that no one can add messages")
    .action((id: string) =>
      cli.report(
        (core) => core.admin.CloseAnyTicket({ ticket_id: id }),
        ({ ticket_id, state }) => `${ticket_id} is ${state}`,
      ),
    );

  ticket
    .command("provision-key <ticket_id>")
    .description("create the member key that a ticket requests; only its owner sees it, once, on the ticket")
    .requiredOption("--name <name>", "purpose of the key")
    .option("--expires <time>", "date or time at which the key expires", time)
    .action((id: string, { name, expires }: { name: string; expires?: string }) =>
      cli.report(
        (core) => core.admin.ProvisionTicketKey({ ticket_id: id, name, expires_at: expires }),
        ({ key, ticket_id }) =>
          `${key?.key_id} waits on ${ticket_id} until ${key?.until}; the user is notified by mail`,
      ),
    );
}

const COLUMNS: Columns<TicketSummary> = {
  TICKET: "ticket_id",
  STATE: "state",
  KIND: "kind",
  ACCOUNT: "account_id",
  CHANGED: "updated_at",
  MESSAGES: "message_count",
  SUBJECT: "subject",
};

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
