// atelier delivery list | receivers | redeliver | give-up, mail list | resend, and stuck
import type { Command } from "commander";
import { STUCK, type StuckKind } from "../../proto/resources/stuck.ts";
import type { FailedMail } from "../../proto/types/atelier/v1/FailedMail.ts";
import { actOnMany, BULK_HELP, type BulkOptions } from "../bulk.ts";
import { count, fields, listing } from "../layout.ts";
import { time, wholeNumber } from "../parse.ts";
import type { Cli } from "../session.ts";

type Picked = { host: string; account: string; since: string };
type Options = BulkOptions & Picked & { until: string };

const DELIVERY_ID = /\bdlv_[0-9A-Z]{26}_\d{3}\b/g;

export function addDeliveryCommands(program: Command, cli: Cli): void {
  const delivery = program
    .command("delivery")
    .description("webhooks that were not delivered: list them, resend them, or give them up");

  delivery
    .command("receivers")
    .description("count undelivered webhooks by endpoint, the most first")
    .action(async () => {
      const { receivers } = await cli.withCore((core) => core.admin.ListDeadReceivers({}));
      const rows = receivers.map((row) => [
        row.host,
        count(row.deliveries),
        `delivery list --host ${row.host}`,
      ]);
      cli.show(
        receivers,
        listing(["RECEIVER", "DELIVERIES", "NEXT"], rows, { nothing: "no dead deliveries" }),
      );
    });

  delivery
    .command("list")
    .description("list undelivered webhooks that no one has dealt with, of the newest jobs first")
    .option("--host <host>", "only to this endpoint, as https://example.com", "")
    .option("--account <account>", "only of this account", "")
    .option("--since <time>", "only of jobs made then or later", time, "")
    .option("--limit <n>", "deliveries, 1 to 100", wholeNumber, 50)
    .option("--cursor <cursor>", "go on where an earlier answer ended", "")
    .action(async (options: Picked & { limit: number; cursor: string }) => {
      const page = await cli.withCore((core) => core.admin.ListDeadDeliveries(options));
      const rows = page.deliveries.map((row) => [
        row.delivery_id,
        row.account_id,
        row.host,
        row.event,
        count(row.attempts),
        row.error,
        row.last_at,
      ]);
      const header = ["DELIVERY", "ACCOUNT", "RECEIVER", "EVENT", "ATTEMPTS", "ERROR", "LAST"];
      cli.show(page, listing(header, rows, { nothing: "no dead deliveries", cursor: page.next_cursor }));
    });

  const addAct = (name: string, act: "redeliver" | "give_up", what: string) =>
    delivery
      .command(name)
      .description(what)
      .option("--host <host>", "only to this endpoint, as https://example.com", "")
      .option("--account <account>", "only of this account", "")
      .option("--since <time>", "only of jobs made then or later", time, "")
      .option("--until <time>", "only of jobs made before", time, "")
      .option("--ids <ids>", "these, with commas between", "")
      .option("--ids-from <file>", "those whose ids are in this file (- for standard input)")
      .option("--go <token>", "do what the dry run with this token said")
      .option("--rate <n>", "deliveries a second, 1 to 1,000", wholeNumber, 20)
      .addHelpText("after", `\n${BULK_HELP}`)
      .action((options: Options) => actOnMany(cli, act, options, DELIVERY_ID));
  addAct("redeliver", "redeliver", "send them once more, with attempts of their own and the same message id");
  addAct("give-up", "give_up", "list them no more: whoever was to hear of it does not want to, or knows");

  addMailCommands(program, cli);
  addStuckCommand(program, cli);
}

function addMailCommands(program: Command, cli: Cli): void {
  const mail = program.command("mail").description("mails that were given up, and sending them after all");

  mail
    .command("list")
    .description("list the mails that were given up in the last week, the last first")
    .option("--limit <n>", "mails, 1 to 100", wholeNumber, 50)
    .action(async ({ limit }: { limit: number }) => {
      const { mails } = await cli.withCore((core) => core.admin.ListFailedMails({ limit }));
      const rows = mails.map((row) => [
        row.mail_id,
        row.account_id,
        row.kind,
        row.ref,
        count(row.attempts),
        row.error,
        row.created_at,
      ]);
      const header = ["MAIL", "ACCOUNT", "TELLS", "ABOUT", "ATTEMPTS", "ERROR", "WRITTEN"];
      cli.show(mails, listing(header, rows, { nothing: "no mails were given up in the last week" }));
    });

  mail
    .command("resend <mail_id>")
    .description("resend it, with all attempts again (needs --reason)")
    .action(async (id: string) => {
      const sent = await cli.withCore((core) => core.admin.ResendMail({ mail_id: id }));
      cli.show(sent, mailText(sent));
    });
}

function mailText({ mail_id, account_id, kind, ref, status }: FailedMail): string {
  return fields([
    ["mail", mail_id],
    ["account", account_id],
    ["tells", `${kind} ${ref}`],
    ["status", status],
  ]);
}

function addStuckCommand(program: Command, cli: Cli): void {
  program
    .command("stuck")
    .description("show everything that needs attention, with the command that shows it")
    .option("--all", "also what there is nothing of")
    .action(async ({ all = false }: { all?: boolean }) => {
      const { stuck } = await cli.withCore((core) => core.admin.ListStuck({ all }));
      const told = stuck.map(({ kind, count: many }) => ({ kind, count: many, ...STUCK[kind as StuckKind] }));
      const rows = told.map(({ count: many, words, command }) => [count(many), words, command]);
      cli.show(told, listing(["COUNT", "WHAT", "NEXT"], rows, { nothing: "nothing needs anybody" }));
    });
}
