// atelier account create | list | show | suspend | restore
import type { Command } from "commander";
import type { Account } from "../../proto/types/atelier/v1/Account.ts";
import { type Columns, count, fields, listing } from "../layout.ts";
import { wholeNumber } from "../parse.ts";
import type { Cli } from "../session.ts";

export function addAccountCommands(program: Command, cli: Cli): void {
  const account = program.command("account").description("create, list, suspend and restore accounts");

  account
    .command("create <email>")
    .description("create an account")
    .requiredOption("--name <name>", "name of the user or company")
    .option("--plan <plan>", "plan at the start (see: plan list)", "free")
    .action((email: string, options: { name: string; plan: string }) =>
      cli.report((core) => core.admin.CreateAccount({ email, ...options }), accountText),
    );

  account
    .command("list")
    .description("list accounts, newest first")
    .option("--limit <n>", "number of rows, 1 to 100", wholeNumber, 50)
    .option("--cursor <cursor>", "next_cursor of the previous page")
    .action((page: { limit: number; cursor?: string }) =>
      cli.report(
        (core) => core.admin.ListAccounts(page),
        ({ accounts, next_cursor: cursor }) => listing(accounts, COLUMNS, { nothing: "no accounts", cursor }),
      ),
    );

  account
    .command("show <account>")
    .description("show one account and its credits")
    .action((account: string) => cli.report((core) => core.admin.GetAccount({ account }), accountText));

  const setStatus = (account: string, status: string) =>
    cli.report((core) => core.admin.SetAccountStatus({ account, status }), accountText);

  account
    .command("suspend <account>")
    .description("refuse every request from now on; waiting jobs wait, running jobs continue")
    .action((account: string) => setStatus(account, "suspended"));

  account
    .command("restore <account>")
    .description("end a suspension")
    .action((account: string) => setStatus(account, "active"));
}

const COLUMNS: Columns<Account> = {
  ACCOUNT: "account_id",
  "E-MAIL": "email",
  NAME: "name",
  PLAN: "plan",
  STATUS: "status",
  AVAILABLE: ({ credits }) => count(credits?.available ?? 0),
  CREATED: "created_at",
};

export function accountText(account: Account): string {
  const { available = 0, balance = 0, held = 0 } = account.credits ?? {};
  return fields([
    ["account", account.account_id],
    ["e-mail", account.email],
    ["name", account.name],
    ["plan", account.plan],
    ["status", account.status],
    ["credits", `${count(available)} available (balance ${count(balance)}, held ${count(held)})`],
    ["welcome credits", account.welcome_credits || undefined],
    ["trial until", account.trial_until],
    ["created", account.created_at],
  ]);
}
