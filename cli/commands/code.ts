// atelier code list | add | end
import type { Command } from "commander";
import type { DiscountCode } from "../../proto/types/atelier/v1/DiscountCode.ts";
import { count, counted, dollars, table } from "../layout.ts";
import { time, wholeNumber } from "../parse.ts";
import type { Cli } from "../session.ts";

type Terms = {
  percent?: number;
  off?: number;
  product?: string;
  expires?: string;
  uses?: number;
  usesEach?: number;
};

export function addCodeCommands(program: Command, cli: Cli): void {
  const code = program
    .command("code")
    .description("list, add and end discount codes (needs --reason to change)");

  code
    .command("list")
    .description("list the codes, newest first")
    .action(async () => {
      const { codes } = await cli.withCore((core) => core.admin.ListDiscountCodes({}));
      cli.show(codes, codes.length === 0 ? counted(0, "discount code") : codeTable(codes));
    });

  code
    .command("add <code>")
    .description("add a code for a percentage or an amount; it cannot be changed later")
    .option("--percent <percent>", "take off a part of the price, 1 to 100", wholeNumber)
    .option("--off <cents>", "take off an amount, in US cents", wholeNumber)
    .option("--product <slug>", "only for this product")
    .option("--expires <time>", "valid until then", time)
    .option("--uses <number>", "valid for so many orders", wholeNumber)
    .option("--uses-each <number>", "valid for so many orders of one account", wholeNumber)
    .action(async (name: string, { percent, off, product, expires, uses, usesEach }: Terms) => {
      const added = await cli.withCore((core) =>
        core.admin.CreateDiscountCode({
          code: name,
          ...(percent !== undefined && { percent }),
          ...(off !== undefined && { off_cents: off }),
          ...(product !== undefined && { product_slug: product }),
          ...(expires !== undefined && { expires_at: expires }),
          ...(uses !== undefined && { max_uses: uses }),
          ...(usesEach !== undefined && { max_uses_each: usesEach }),
        }),
      );
      cli.show(added, codeTable([added]));
    });

  code
    .command("end <code>")
    .description("end a code now; orders that have it keep it")
    .action(async (name: string) => {
      const ended = await cli.withCore((core) => core.admin.EndDiscountCode({ code: name }));
      cli.show(ended, codeTable([ended]));
    });
}

function codeTable(codes: readonly DiscountCode[]): string {
  return table([
    ["CODE", "OFF", "PRODUCT", "EXPIRES", "USES", "EACH"],
    ...codes.map((one) => [
      one.code,
      one.percent === undefined ? dollars(one.off_cents ?? 0) : `${one.percent}%`,
      one.product_slug ?? "all",
      one.expires_at ?? "never",
      `${count(one.uses)} of ${limitOf(one.max_uses)}`,
      limitOf(one.max_uses_each),
    ]),
  ]);
}

function limitOf(limit: number | undefined): string {
  return limit === undefined ? "any" : count(limit);
}
