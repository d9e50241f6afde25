// atelier key create | list | revoke
import { type Command, Option } from "commander";
import { count, fields, listing } from "../layout.ts";
import { time, wholeNumber } from "../parse.ts";
import type { Cli } from "../session.ts";

type CreateOptions = {
  name: string;
  scope: string;
  expires?: string;
  maxCredits?: number;
  confirmAbove?: number;
};

export function addKeyCommands(program: Command, cli: Cli): void {
  const key = program.command("key").description("create, list and revoke generation keys");
  addCreate(key, cli);
  addList(key, cli);
  addRevoke(key, cli);
}

function addCreate(key: Command, cli: Cli): void {
  key
    .command("create <account>")
    .description("create a generation key; it is shown only once")
    .requiredOption("--name <name>", "purpose of the key")
    .addOption(
      new Option("--scope <scope>", "rights of the key; write includes read")
        .choices(["read", "write"])
        .makeOptionMandatory(),
    )
    .option("--expires <time>", "date or time at which the key expires", time)
    .option("--max-credits <n>", "credits that its jobs may cost in a calendar month, at most", wholeNumber)
    .option("--confirm-above <n>", "price above which the user must approve each request", wholeNumber)
    .action(async (account: string, options: CreateOptions) => {
      const { name, scope, expires, maxCredits, confirmAbove } = options;
      const made = await cli.withCore((core) =>
        core.admin.CreateAccountKey({
          account,
          key: {
            name,
            scope,
            ...(expires && { expires_at: expires }),
            ...(maxCredits !== undefined && { max_credits: maxCredits }),
            ...(confirmAbove !== undefined && { confirm_above: confirmAbove }),
          },
        }),
      );
      cli.show(
        made,
        fields([
          ["key", made.secret],
          ["key id", made.key?.key_id ?? ""],
          ["scope", made.key?.scope ?? ""],
          ["expires", made.key?.expires_at ?? "never"],
          ["most credits a month", String(made.key?.max_credits ?? "no limit")],
          ["a user approves above", String(made.key?.confirm_above ?? "nothing")],
          ["", "The key is not shown again. Keep it in secret storage."],
        ]),
      );
    });
}

function addList(key: Command, cli: Cli): void {
  key
    .command("list <account>")
    .description("list an account's generation keys, masked, newest first, with revoked ones")
    .action(async (account: string) => {
      const page = await cli.withCore((core) => core.admin.ListAccountKeys({ account }));
      const rows = page.keys.map((row) => [
        row.key_id,
        row.name,
        row.scope,
        row.masked,
        row.revoked_at ? `revoked ${row.revoked_at}` : (row.expires_at ?? "never ends"),
        row.last_used_at ?? "never used",
        row.max_credits === undefined
          ? "no limit"
          : `${count(row.credits_this_month ?? 0)} of ${count(row.max_credits)}`,
        row.confirm_above === undefined ? "-" : count(row.confirm_above),
      ]);
      const header = [
        "KEY ID",
        "NAME",
        "SCOPE",
        "KEY",
        "ENDS",
        "LAST USED",
        "CREDITS THIS MONTH",
        "CONFIRM ABOVE",
      ];
      cli.show(page, listing(header, rows, { nothing: "no keys" }));
    });
}

function addRevoke(key: Command, cli: Cli): void {
  key
    .command("revoke <key_id>")
    .description("revoke a key, from its next request on")
    .action(async (keyId: string) => {
      const revoked = await cli.withCore((core) => core.admin.RevokeAccountKey({ key_id: keyId }));
      cli.show(
        revoked,
        `${revoked.key_id} (${revoked.name}, ${revoked.masked}) is revoked since ${revoked.revoked_at}`,
      );
    });
}
