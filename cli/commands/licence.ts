// atelier licence grant | list | revoke
import { type Command, Option } from "commander";
import { LICENCE_KINDS, LICENCE_SOURCES } from "../../proto/resources/membership.ts";
import type { Licence } from "../../proto/types/atelier/v1/Licence.ts";
import { counted, table } from "../layout.ts";
import type { Cli } from "../session.ts";

export function addLicenceCommands(program: Command, cli: Cli): void {
  const licence = program
    .command("licence")
    .description("grant and revoke product licences (needs --reason to change)");

  licence
    .command("grant <account> <product_slug>")
    .description("grant an account the licence of a product; repeating it changes nothing")
    .addOption(new Option("--kind <kind>", "kind of licence").choices(LICENCE_KINDS).default("standard"))
    .addOption(
      new Option("--source <source>", "origin of the licence; purchases of plus products need a membership")
        .choices(LICENCE_SOURCES)
        .default("grant"),
    )
    .action(async (account: string, slug: string, options: { kind: string; source: string }) => {
      const granted = await cli.withCore((core) =>
        core.admin.GrantLicence({ account, product_slug: slug, ...options }),
      );
      const { licence_id, kind, product_name, source, granted_at } = granted;
      cli.show(
        granted,
        `${licence_id}: ${kind} licence of ${product_name}, by ${source}, since ${granted_at}`,
      );
    });

  licence
    .command("list <account>")
    .description("list the licences of an account, newest first")
    .action(async (account: string) => {
      const licences = await cli.withCore(async (core) => {
        const all: Licence[] = [];
        let cursor = "";
        do {
          const page = await core.admin.ListAccountLicences({ account, limit: 100, cursor });
          all.push(...page.licences);
          cursor = page.next_cursor;
        } while (cursor);
        return all;
      });
      cli.show(
        licences,
        licences.length === 0
          ? counted(0, "licence")
          : table([
              ["LICENCE", "PRODUCT", "KIND", "SOURCE", "STATUS", "GRANTED"],
              ...licences.map((row) => [
                row.licence_id,
                row.product_slug,
                row.kind,
                row.source,
                row.status,
                row.granted_at,
              ]),
            ]),
      );
    });

  licence
    .command("revoke <licence_id>")
    .description("revoke a licence, for example after a refund")
    .action(async (licenceId: string) => {
      const revoked = await cli.withCore((core) => core.admin.RevokeLicence({ licence_id: licenceId }));
      cli.show(
        revoked,
        `${revoked.licence_id} (${revoked.product_name}, ${revoked.kind}) is revoked since ${revoked.revoked_at}`,
      );
    });
}
