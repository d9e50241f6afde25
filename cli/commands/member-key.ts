// atelier member-key provision | list | revoke
import type { Command } from "commander";
import type { ApiKey } from "../../proto/types/atelier/v1/ApiKey.ts";
import { type Columns, counted, fields, listing } from "../layout.ts";
import { time, wholeNumber } from "../parse.ts";
import type { Cli } from "../session.ts";
import { revokedText } from "./key.ts";

type ProvisionOptions = { name: string; expires?: string; maxCredits?: number; confirmAbove?: number };

const PRIVATELY =
  "The key is not shown again. Hand it over privately; it works while the membership is active.";

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
    .action(async (account: string, { name, expires, maxCredits, confirmAbove }: ProvisionOptions) => {
      const limits = { expires_at: expires, max_credits: maxCredits, confirm_above: confirmAbove };
      await cli.report(
        (core) => core.admin.ProvisionMemberKey({ account, name, ...limits }),
        ({ secret, key: made }) =>
          fields([
            ["key", secret],
            ["key id", made?.key_id],
            ["expires", made?.expires_at ?? "never"],
            ["", PRIVATELY],
          ]),
      );
    });

  key
    .command("list <account>")
    .description("list the member keys of an account, masked, newest first")
    .action(async (account: string) => {
      const { keys } = await cli.withCore((core) => core.admin.ListMemberKeys({ account }));
      const columns: Columns<ApiKey> = {
        "KEY ID": "key_id",
        KEY: "masked",
        NAME: "name",
        CREATED: "created_at",
        "LAST USED": ({ last_used_at = "never" }) => last_used_at,
        REVOKED: ({ revoked_at = "no" }) => revoked_at,
      };
      cli.show(keys, listing(keys, columns, { nothing: counted(0, "member key") }));
    });

  key
    .command("revoke <key_id>")
    .description("revoke a member key, from its next request on")
    .action((keyId: string) =>
      cli.report((core) => core.admin.RevokeMemberKey({ key_id: keyId }), revokedText),
    );
}
