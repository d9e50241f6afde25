// atelier delivery list | receivers | redeliver | give-up, mail list | resend, and stuck
import type { Command } from "commander";
import { STUCK, type StuckKind } from "../../proto/resources/stuck.ts";
import type { DeadDelivery } from "../../proto/types/atelier/v1/DeadDelivery.ts";
import type { DeadEndpoint } from "../../proto/types/atelier/v1/DeadEndpoint.ts";
import type { FailedMail } from "../../proto/types/atelier/v1/FailedMail.ts";
import { actOnMany, BULK_HELP, type BulkOptions } from "../bulk.ts";
import { type Columns, fields, listing } from "../layout.ts";
import { time, wholeNumber } from "../parse.ts";
import type { Cli } from "../session.ts";

type Picked = { host: string; account: string; since: string };
type Options = BulkOptions & Picked & { until: string };

const DELIVERY_ID = /\bdlv_[0-9A-Z]{26}_\d{3}\b/g;

export function addDeliveryCommands(program: Command, cli: Cli): void {
  const delivery = program.command("delivery").description("list, resend and give up undelivered webhooks");

  delivery
    .command("endpoints")
    .description("count undelivered webhooks by endpoint, largest first")
    .action(async () => {
      const { receivers } = await cli.withCore((core) => core.admin.ListDeadReceivers({}));
      const next = ({ host }: DeadEndpoint) => `delivery list --host ${host}`;
      const columns: Columns<DeadEndpoint> = { ENDPOINT: "host", DELIVERIES: "deliveries", NEXT: next };
      cli.show(receivers, listing(receivers, columns, { nothing: "no failed deliveries" }));
    });

  delivery
    .command("list")
    .description("list open undelivered webhooks, newest jobs first")
    .option("--host <host>", "only to this endpoint, as https://example.com", "")
    .option("--account <account>", "only of this account", "")
    .option("--since <time>", "only of jobs made then or later", time, "")
    .option("--limit <n>", "number of rows, 1 to 100", wholeNumber, 50)
    .option("--cursor <cursor>", "next_cursor of the previous page", "")
    .action((options: Picked & { limit: number; cursor: string }) =>
      cli.report(
        (core) => core.admin.ListDeadDeliveries(options),
        ({ deliveries, next_cursor: cursor }) =>
          listing(deliveries, COLUMNS, { nothing: "no failed deliveries", cursor }),
      ),
    );

  const addAct = (name: string, act: "redeliver" | "give_up", what: string) =>
    delivery
      .command(name)
      .description(what)
      .option("--host <host>", "only to this endpoint, as https://example.com", "")
      .option("--account <account>", "only of this account", "")
      .option("--since <time>", "only of jobs made then or later", time, "")
      .option("--until <time>", "only of jobs made before", time, "")
      .option("--ids <ids>", "ids of deliveries, separated by commas", "")
      .option("--ids-from <file>", "file with ids of deliveries (- for standard input)")
      .option("--go <token>", "act on the dry run with this token")
      .option("--rate <n>", "deliveries per second, 1 to 1,000", wholeNumber, 20)
      .addHelpText("after", `\n${BULK_HELP}`)
      .action((options: Options) => actOnMany(cli, act, options, DELIVERY_ID));
  addAct("resend", "redeliver", "resend them with new attempts and the same message id");
  addAct("give-up", "give_up", "dismiss them, so that they no longer need attention");

  addMailCommands(program, cli);
  addStuckCommand(program, cli);
}

const COLUMNS: Columns<DeadDelivery> = {
  DELIVERY: "delivery_id",
  ACCOUNT: "account_id",
  ENDPOINT: "host",
  EVENT: "event",
  ATTEMPTS: "attempts",
  ERROR: "error",
  LAST: "last_at",
};

function addMailCommands(program: Command, cli: Cli): void {
  const mail = program.command("mail").description("list and resend undelivered mails");

  mail
    .command("list")
    .description("list undelivered mails of the last week, newest first")
    .option("--limit <n>", "number of rows, 1 to 100", wholeNumber, 50)
    .action(async ({ limit }: { limit: number }) => {
      const { mails } = await cli.withCore((core) => core.admin.ListFailedMails({ limit }));
      cli.show(mails, listing(mails, MAIL_COLUMNS, { nothing: "no mails were given up in the last week" }));
    });

  mail
    .command("resend <mail_id>")
    .description("resend a mail with new attempts (needs --reason)")
    .action((id: string) => cli.report((core) => core.admin.ResendMail({ mail_id: id }), mailText));
}

const MAIL_COLUMNS: Columns<FailedMail> = {
  MAIL: "mail_id",
  ACCOUNT: "account_id",
  TELLS: "kind",
  ABOUT: "ref",
  ATTEMPTS: "attempts",
  ERROR: "error",
  WRITTEN: "created_at",
};

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
    .description("show everything that needs attention, with the command for each")
    .option("--all", "also show kinds without items")
    .action(async ({ all = false }: { all?: boolean }) => {
      const { stuck } = await cli.withCore((core) => core.admin.ListStuck({ all }));
      const told = stuck.map(({ kind, count: many }) => ({ kind, count: many, ...STUCK[kind as StuckKind] }));
      const columns = { COUNT: "count", WHAT: "words", NEXT: "command" } as const;
      cli.show(told, listing(told, columns, { nothing: "nothing needs attention" }));
    });
}
