// atelier code list | add | end
import type { Command } from "commander";
import type { DiscountCode } from "../../proto/types/atelier/v1/DiscountCode.ts";
import { type Columns, count, counted, dollars, listing } from "../layout.ts";
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
      cli.show(codes, codeTable(codes));
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
    .action((code: string, { percent, off, product, expires, uses, usesEach }: Terms) => {
      const until = { expires_at: expires, max_uses: uses, max_uses_each: usesEach };
      const terms = { code, percent, off_cents: off, product_slug: product, ...until };
      return cli.report((core) => core.admin.CreateDiscountCode(terms), oneCode);
    });

  code
    .command("end <code>")
    .description("end a code now; orders that have it keep it")
    .action((code: string) => cli.report((core) => core.admin.EndDiscountCode({ code }), oneCode));
}

const oneCode = (code: DiscountCode) => codeTable([code]);

function codeTable(codes: readonly DiscountCode[]): string {
  const columns: Columns<DiscountCode> = {
    CODE: "code",
    OFF: ({ percent, off_cents = 0 }) => (percent === undefined ? dollars(off_cents) : `${percent}%`),
    PRODUCT: ({ product_slug = "all" }) => product_slug,
    EXPIRES: ({ expires_at = "never" }) => expires_at,
    USES: ({ uses, max_uses }) => `${count(uses)} of ${limitOf(max_uses)}`,
    EACH: ({ max_uses_each }) => limitOf(max_uses_each),
  };
  return listing(codes, columns, { nothing: counted(0, "discount code") });
}

function limitOf(limit: number | undefined): string {
  return limit === undefined ? "any" : count(limit);
}
