// atelier key create | list | revoke
import { type Command, Option } from "commander";
import type { ApiKey } from "../../proto/types/atelier/v1/ApiKey.ts";
import type { CreateKeyReply } from "../../proto/types/atelier/v1/CreateKeyReply.ts";
import { type Columns, count, fields, listing } from "../layout.ts";
import { time, wholeNumber } from "../parse.ts";
import type { Cli } from "../session.ts";

type CreateOptions = {
  name: string;
  scope: string;
  expires?: string;
  maxCredits?: number;
  maxCreditsPerDay?: number;
  maxCreditsPerWeek?: number;
  maxCreditsTotal?: number;
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
    .option("--max-credits-per-day <n>", "the same for a day (UTC)", wholeNumber)
    .option("--max-credits-per-week <n>", "the same for a week from Monday", wholeNumber)
    .option("--max-credits-total <n>", "the same in total", wholeNumber)
    .option("--confirm-above <n>", "price above which the user must approve each request", wholeNumber)
    .action((account: string, { name, scope, expires, ...limits }: CreateOptions) => {
      const { maxCredits: max_credits, confirmAbove: confirm_above } = limits;
      const { maxCreditsPerDay: day, maxCreditsPerWeek: week, maxCreditsTotal: total } = limits;
      const wanted = {
        name,
        scope,
        expires_at: expires,
        max_credits,
        confirm_above,
        caps: { day, week, total },
      };
      return cli.report((core) => core.admin.CreateAccountKey({ account, key: wanted }), madeKeyText);
    });
}

function madeKeyText({ secret, key: made }: CreateKeyReply): string {
  return fields([
    ["key", secret],
    ["key id", made?.key_id],
    ["scope", made?.scope],
    ["expires", made?.expires_at ?? "never"],
    ["most credits a month", String(made?.max_credits ?? "no limit")],
    ...(made?.caps ?? []).map(({ per, max_credits }): [string, string] => [
      per === "total" ? "most credits in total" : `most credits a ${per}`,
      String(max_credits),
    ]),
    ["a user approves above", String(made?.confirm_above ?? "nothing")],
    ["", "The key is not shown again. Keep it in secret storage."],
  ]);
}

function addList(key: Command, cli: Cli): void {
  key
    .command("list <account>")
    .description("list an account's generation keys, masked, newest first, with revoked ones")
    .action((account: string) =>
      cli.report(
        (core) => core.admin.ListAccountKeys({ account }),
        ({ keys }) => listing(keys, COLUMNS, { nothing: "no keys" }),
      ),
    );
}

const COLUMNS: Columns<ApiKey> = {
  "KEY ID": "key_id",
  NAME: "name",
  SCOPE: "scope",
  KEY: "masked",
  ENDS: ({ revoked_at, expires_at = "never ends" }) => (revoked_at ? `revoked ${revoked_at}` : expires_at),
  "LAST USED": ({ last_used_at = "never used" }) => last_used_at,
  "CREDITS THIS MONTH": limitsOf,
  "CONFIRM ABOVE": ({ confirm_above: above }) => (above === undefined ? "-" : count(above)),
};

/** The month's limit first. */
function limitsOf({ max_credits: most, credits_this_month: used = 0, caps }: ApiKey): string {
  const words = [
    ...(most === undefined ? [] : [`${count(used)} of ${count(most)}`]),
    ...caps.map(
      ({ per, max_credits, credits_used }) => `${count(credits_used)} of ${count(max_credits)} (${per})`,
    ),
  ];
  return words.join(", ") || "no limit";
}

function addRevoke(key: Command, cli: Cli): void {
  key
    .command("revoke <key_id>")
    .description("revoke a key, from its next request on")
    .action((keyId: string) =>
      cli.report((core) => core.admin.RevokeAccountKey({ key_id: keyId }), revokedText),
    );
}

export function revokedText({ key_id, name, masked, revoked_at }: ApiKey): string {
  return `${key_id} (${name}, ${masked}) is revoked since ${revoked_at}`;
}
