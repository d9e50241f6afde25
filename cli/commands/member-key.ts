// atelier member-key provision | list | revoke
import type { Command } from "commander";
import { counted, fields, table } from "../layout.ts";
import { time, wholeNumber } from "../parse.ts";
import type { Cli } from "../session.ts";

type ProvisionOptions = { name: string; expires?: string; maxCredits?: number; confirmAbove?: number };

export function addMemberKeyCommands(program: Command, cli: Cli): void {
  const key = program
    .command("member-key")
    .description("create, list and revoke member keys (needs --reason to change)");

  key
    .command("provision <account>")
    .description("create a key for the member's assistant; it is shown only once")
    .requiredOption("--name <name>", "purpose of the key")
    .option("--expires <time>", "date or time at which the key expires", time)
    .option("--max-credits <n>", "credits that its jobs may cost in a calendar month, at most", wholeNumber)
    .option("--confirm-above <n>", "price above which the user must approve each request", wholeNumber)
    .action(async (account: string, options: ProvisionOptions) => {
      const { name, expires, maxCredits, confirmAbove } = options;
      const made = await cli.withCore((core) =>
        core.admin.ProvisionMemberKey({
          account,
          name,
          ...(expires && { expires_at: expires }),
          ...(maxCredits !== undefined && { max_credits: maxCredits }),
          ...(confirmAbove !== undefined && { confirm_above: confirmAbove }),
        }),
      );
      cli.show(
        made,
        fields([
          ["key", made.secret],
          ["key id", made.key?.key_id ?? ""],
          ["expires", made.key?.expires_at ?? "never"],
          [
            "",
            "The key is not shown again. Hand it over privately; it works while the membership is active.",
          ],
        ]),
      );
    });

  key
    .command("list <account>")
    .description("list the member keys of an account, masked, newest first")
    .action(async (account: string) => {
      const { keys } = await cli.withCore((core) => core.admin.ListMemberKeys({ account }));
      cli.show(
        keys,
        keys.length === 0
          ? counted(0, "member key")
          : table([
              ["KEY ID", "KEY", "NAME", "CREATED", "LAST USED", "REVOKED"],
              ...keys.map((row) => [
                row.key_id,
                row.masked,
                row.name,
                row.created_at,
                row.last_used_at ?? "never",
                row.revoked_at ?? "no",
              ]),
            ]),
      );
    });

  key
    .command("revoke <key_id>")
    .description("revoke a member key, from its next request on")
    .action(async (keyId: string) => {
      const revoked = await cli.withCore((core) => core.admin.RevokeMemberKey({ key_id: keyId }));
      cli.show(
        revoked,
        `${revoked.key_id} (${revoked.name}, ${revoked.masked}) is revoked since ${revoked.revoked_at}`,
      );
    });
}
