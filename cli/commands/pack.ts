// atelier pack list | set
import type { Command } from "commander";
import { count, dollars, table } from "../layout.ts";
import { wholeNumber } from "../parse.ts";
import type { Cli } from "../session.ts";

export function addPackCommands(program: Command, cli: Cli): void {
  const pack = program.command("pack").description("list and change credit packs (needs --reason to change)");

  pack
    .command("list")
    .description("list the packs, smallest first")
    .action(async () => {
      const { packs } = await cli.withCore((core) => core.admin.ListCreditPacks({}));
      cli.show(
        packs,
        table([
          ["PACK", "CREDITS", "PRICE", "SOLD"],
          ...packs.map((row) => [
            row.pack,
            count(row.credits),
            dollars(row.price_cents),
            row.active ? "yes" : "no",
          ]),
        ]),
      );
    });

  pack
    .command("set <pack>")
    .argument("<credits>", "number of credits", wholeNumber)
    .argument("<cents>", "price in US cents", wholeNumber)
    .description("create or change a pack; existing orders keep their pack")
    .option("--not-sold", "stop selling it", false)
    .action(async (name: string, credits: number, cents: number, { notSold }: { notSold: boolean }) => {
      const set = await cli.withCore((core) =>
        core.admin.SetCreditPack({ pack: name, credits, price_cents: cents, active: !notSold }),
      );
      cli.show(
        set,
        `${set.pack}: ${count(set.credits)} credits for ${dollars(set.price_cents)}${set.active ? "" : ", not sold"}`,
      );
    });
}
