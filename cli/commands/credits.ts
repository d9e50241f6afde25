// atelier credits grant | approve
import { randomUUID } from "node:crypto";
import { type Command, Option } from "commander";
import { AppError, ERROR_TABLE } from "../../proto/codes.ts";
import type { CoreClient } from "../../proto/client.ts";
import type { LedgerEntry } from "../../proto/types/atelier/v1/LedgerEntry.ts";
import { count } from "../layout.ts";
import { time, wholeNumber } from "../parse.ts";
import type { Cli } from "../session.ts";
import { showAccount } from "./account.ts";

type Options = { kind: string; memo: string; expires?: string; idempotencyKey?: string };

export function addCreditsCommands(program: Command, cli: Cli): void {
  const credits = program.command("credits").description("give credits to accounts and correct them");

  credits
    .command("approve <account>")
    .description("give the welcome credits that ATELIER_HOLD_WELCOME_CREDITS holds back")
    .action(async (account: string) => {
      showAccount(cli, await cli.withCore((core) => core.admin.ApproveWelcomeCredits({ account })));
    });

  credits
    .command("grant <account>")
    .argument("<amount>", "whole credits; negative only for an adjustment", wholeNumber)
    .description("add credits to an account, or correct its balance")
    .addOption(
      new Option("--kind <kind>", "how the ledger names it")
        .choices(["grant", "purchase", "adjustment"])
        .default("grant"),
    )
    .option("--memo <text>", "note that the account's owner sees in the ledger", "")
    .option("--expires <time>", "when what is left of a grant expires; without it, never", time)
    .option("--idempotency-key <key>", "run again with the same key, it grants only once")
    .action(async (account: string, amount: number, options: Options) => {
      const entry = await cli.withCore((core) => grant(core, account, amount, options));
      cli.show(
        entry,
        `${entry.kind} of ${count(entry.amount)} credits recorded as ${entry.entry_id}; ` +
          `balance ${count(entry.balance_after)}, of which held ${count(entry.held_after)}`,
      );
    });
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
      ...(expires !== undefined && { expires_at: expires }),
    });
  } catch (error) {
    // A lost answer does not tell whether the credits were granted. The same key finds out without granting twice.
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
