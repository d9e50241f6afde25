// atelier licence grant | list | revoke
import { type Command, Option } from "commander";
import { LICENCE_KINDS, LICENCE_SOURCES } from "../../proto/resources/membership.ts";
import type { Licence } from "../../proto/types/atelier/v1/Licence.ts";
import { type Columns, counted, listing } from "../layout.ts";
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
    .action((account: string, slug: string, options: { kind: string; source: string }) =>
      cli.report(
        (core) => core.admin.GrantLicence({ account, product_slug: slug, ...options }),
        ({ licence_id, kind, product_name, source, granted_at }) =>
          `${licence_id}: ${kind} licence of ${product_name}, by ${source}, since ${granted_at}`,
      ),
    );

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
      cli.show(licences, listing(licences, COLUMNS, { nothing: counted(0, "licence") }));
    });

  licence
    .command("revoke <licence_id>")
    .description("revoke a licence, for example after a refund")
    .action((id: string) =>
      cli.report(
        (core) => core.admin.RevokeLicence({ licence_id: id }),
        ({ licence_id, product_name, kind, revoked_at }) =>
          `${licence_id} (${product_name}, ${kind}) is revoked since ${revoked_at}`,
      ),
    );
}

const COLUMNS: Columns<Licence> = {
  LICENCE: "licence_id",
  PRODUCT: "product_slug",
  KIND: "kind",
  SOURCE: "source",
  STATUS: "status",
  GRANTED: "granted_at",
};
