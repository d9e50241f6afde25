// atelier pack list | set
import type { Command } from "commander";
import { count, dollars, listing } from "../layout.ts";
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
        listing(packs, {
          PACK: "pack",
          CREDITS: "credits",
          PRICE: ({ price_cents }) => dollars(price_cents),
          SOLD: ({ active }) => (active ? "yes" : "no"),
        }),
      );
    });

  pack
    .command("set <pack>")
    .argument("<credits>", "number of credits", wholeNumber)
    .argument("<cents>", "price in US cents", wholeNumber)
    .description("create or change a pack; existing orders keep their pack")
    .option("--not-sold", "stop selling it", false)
    .action((pack: string, credits: number, price_cents: number, { notSold }: { notSold: boolean }) =>
      cli.report(
        (core) => core.admin.SetCreditPack({ pack, credits, price_cents, active: !notSold }),
        (set) =>
          `${set.pack}: ${count(set.credits)} credits for ${dollars(set.price_cents)}${set.active ? "" : ", not sold"}`,
      ),
    );
}
