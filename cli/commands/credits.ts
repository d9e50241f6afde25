// atelier credits grant | approve
import { randomUUID } from "node:crypto";
import { type Command, Option } from "commander";
import type { CoreClient } from "../../proto/client.ts";
import { AppError, ERROR_TABLE } from "../../proto/codes.ts";
import type { LedgerEntry } from "../../proto/types/atelier/v1/LedgerEntry.ts";
import { count } from "../layout.ts";
import { time, wholeNumber } from "../parse.ts";
import type { Cli } from "../session.ts";
import { accountText } from "./account.ts";

type Options = { kind: string; memo: string; expires?: string; idempotencyKey?: string };

export function addCreditsCommands(program: Command, cli: Cli): void {
  const credits = program.command("credits").description("grant credits and correct balances");

  credits
    .command("approve <account>")
    .description("grant the welcome credits that ATELIER_HOLD_WELCOME_CREDITS holds")
    .action((account: string) =>
      cli.report((core) => core.admin.ApproveWelcomeCredits({ account }), accountText),
    );

  credits
    .command("grant <account>")
    .argument("<amount>", "number of credits; negative only for an adjustment", wholeNumber)
    .description("add credits to an account, or correct its balance")
    .addOption(
      new Option("--kind <kind>", "kind of the ledger entry")
        .choices(["grant", "purchase", "adjustment"])
        .default("grant"),
    )
    .option("--memo <text>", "note in the ledger, visible to the account's owner", "")
    .option("--expires <time>", "time at which the rest of the grant expires; without it, never", time)
    .option("--idempotency-key <key>", "a repeated command with the same key grants only once")
    .action((account: string, amount: number, options: Options) =>
      cli.report(
        (core) => grant(core, account, amount, options),
        (entry) =>
          `${entry.kind} of ${count(entry.amount)} credits recorded as ${entry.entry_id}; ` +
          `balance ${count(entry.balance_after)}, of which held ${count(entry.held_after)}`,
      ),
    );
}

async function grant(
  core: CoreClient,
  account: string,
  amount: number,
  { kind, memo, expires, idempotencyKey = randomUUID() }: Options,
): Promise<LedgerEntry> {
  try {
    return await core.admin.GrantCredits({
      account,
      amount,
      kind,
      memo,
      idempotency_key: idempotencyKey,
      expires_at: expires,
    });
  } catch (error) {
    // A lost response leaves it unknown whether the credits were granted. The same key finds out without granting twice.
    if (
      !(error instanceof AppError) ||
      error.code === "service_unavailable" ||
      !ERROR_TABLE[error.code].retryable
    )
      throw error;
    throw new AppError(error.code, {
      message: error.message,
      hint: `Run the command again with --idempotency-key ${idempotencyKey}; then it grants only once.`,
    });
  }
}
