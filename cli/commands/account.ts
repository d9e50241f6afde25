// atelier account create | list | show | suspend | restore
import type { Command } from "commander";
import type { Account } from "../../proto/types/atelier/v1/Account.ts";
import { count, fields, listing } from "../layout.ts";
import { wholeNumber } from "../parse.ts";
import type { Cli } from "../session.ts";

export function addAccountCommands(program: Command, cli: Cli): void {
  const account = program.command("account").description("create, list, suspend and restore accounts");

  account
    .command("create <email>")
    .description("create an account")
    .requiredOption("--name <name>", "name of the user or company")
    .option("--plan <plan>", "plan at the start (see: plan list)", "free")
    .action(async (email: string, options: { name: string; plan: string }) => {
      showAccount(cli, await cli.withCore((core) => core.admin.CreateAccount({ email, ...options })));
    });

  account
    .command("list")
    .description("list accounts, newest first")
    .option("--limit <n>", "number of rows, 1 to 100", wholeNumber, 50)
    .option("--cursor <cursor>", "next_cursor of the previous page")
    .action(async ({ limit, cursor = "" }: { limit: number; cursor?: string }) => {
      const page = await cli.withCore((core) => core.admin.ListAccounts({ limit, cursor }));
      const rows = page.accounts.map((row) => [
        row.account_id,
        row.email,
        row.name,
        row.plan,
        row.status,
        count(row.credits?.available ?? 0),
        row.created_at,
      ]);
      const header = ["ACCOUNT", "E-MAIL", "NAME", "PLAN", "STATUS", "AVAILABLE", "CREATED"];
      cli.show(page, listing(header, rows, { nothing: "no accounts", cursor: page.next_cursor }));
    });

  account
    .command("show <account>")
    .description("show one account and its credits")
    .action(async (account: string) => {
      showAccount(cli, await cli.withCore((core) => core.admin.GetAccount({ account })));
    });

  const setStatus = async (account: string, status: string) =>
    showAccount(cli, await cli.withCore((core) => core.admin.SetAccountStatus({ account, status })));

  account
    .command("suspend <account>")
    .description("refuse every request from now on; waiting jobs wait, running jobs continue")
    .action((account: string) => setStatus(account, "suspended"));

  account
    .command("restore <account>")
    .description("end a suspension")
    .action((account: string) => setStatus(account, "active"));
}

export function showAccount(cli: Cli, account: Account): void {
  const { credits } = account;
  cli.show(
    account,
    fields([
      ["account", account.account_id],
      ["e-mail", account.email],
      ["name", account.name],
      ["plan", account.plan],
      ["status", account.status],
      [
        "credits",
        `${count(credits?.available ?? 0)} available (balance ${count(credits?.balance ?? 0)}, held ${count(credits?.held ?? 0)})`,
      ],
      ...(account.welcome_credits === "" ? [] : [["welcome credits", account.welcome_credits] as const]),
      ...(account.trial_until === undefined ? [] : [["trial until", account.trial_until] as const]),
      ["created", account.created_at],
    ]),
  );
}
