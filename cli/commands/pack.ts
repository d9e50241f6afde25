// atelier pack list | set
import type { Command } from "commander";
import { count, dollars, table } from "../layout.ts";
import { wholeNumber } from "../parse.ts";
import type { Cli } from "../session.ts";

export function addPackCommands(program: Command, cli: Cli): void {
  const pack = program.command("pack").description("credit packs that are sold (needs --reason to change)");

  pack
    .command("list")
    .description("list the packs, the smallest first")
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
    .argument("<credits>", "how many it holds", wholeNumber)
    .argument("<cents>", "what it costs, in US cents", wholeNumber)
    .description("make or change a pack; orders that were placed keep what they were placed for")
    .option("--not-sold", "keep it, and sell it no more", false)
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
