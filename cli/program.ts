// Assembles the commands, runs one, and turns the result into text and an exit code: 0 done, 1 refused or failed, 2 wrong usage.
import { Command, CommanderError } from "commander";
import { RELEASE } from "../runtime/release.ts";
import { addAccountCommands } from "./commands/account.ts";
import { addAuditTrailCommand } from "./commands/audit-trail.ts";
import { addAuditCommand } from "./commands/audit.ts";
import { addBackupCommands } from "./commands/backup.ts";
import { addCategoryCommands } from "./commands/category.ts";
import { addCodeCommands } from "./commands/code.ts";
import { addConsoleCommands } from "./commands/console.ts";
import { addCreditsCommands } from "./commands/credits.ts";
import { addDeliveryCommands } from "./commands/delivery.ts";
import { addDoctorCommand } from "./commands/doctor.ts";
import { addDownloadCommands } from "./commands/download.ts";
import { addJobCommands } from "./commands/job.ts";
import { addJobsCommands } from "./commands/jobs.ts";
import { addKeyCommands } from "./commands/key.ts";
import { addLedgerCommand } from "./commands/ledger.ts";
import { addLicenceCommands } from "./commands/licence.ts";
import { addMarginCommand } from "./commands/margin.ts";
import { addMemberKeyCommands } from "./commands/member-key.ts";
import { addMembershipCommands } from "./commands/membership.ts";
import { addMigrateCommand } from "./commands/migrate.ts";
import { addModelCommands } from "./commands/model.ts";
import { addOrderCommands } from "./commands/order.ts";
import { addPackCommands } from "./commands/pack.ts";
import { addPlanCommands } from "./commands/plan.ts";
import { addProductCommands } from "./commands/product.ts";
import { addProviderCommands } from "./commands/provider.ts";
import { addReconcileCommand } from "./commands/reconcile.ts";
import { addReviewCommands } from "./commands/review.ts";
import { addServiceTokenCommands } from "./commands/service-token.ts";
import { addSessionCommands } from "./commands/session.ts";
import { addSubscriptionCommands } from "./commands/subscription.ts";
import { addTagCommands } from "./commands/tag.ts";
import { addTicketCommands } from "./commands/ticket.ts";
import { describeFailure } from "./failure.ts";
import { type Cli, type CliEnvironment, createCli, type GlobalOptions } from "./session.ts";

const COMMAND_GROUPS: readonly ((program: Command, cli: Cli) => void)[] = [
  addConsoleCommands,
  addAccountCommands,
  addPlanCommands,
  addCreditsCommands,
  addLedgerCommand,
  addJobCommands,
  addJobsCommands,
  addDeliveryCommands,
  addKeyCommands,
  addSessionCommands,
  addMembershipCommands,
  addLicenceCommands,
  addMemberKeyCommands,
  addOrderCommands,
  addSubscriptionCommands,
  addPackCommands,
  addCodeCommands,
  addProviderCommands,
  addMarginCommand,
  addReconcileCommand,
  addTicketCommands,
  addModelCommands,
  addProductCommands,
  addDownloadCommands,
  addReviewCommands,
  addCategoryCommands,
  addTagCommands,
  addAuditCommand,
  addAuditTrailCommand,
  addServiceTokenCommands,
  addMigrateCommand,
  addBackupCommands,
  addDoctorCommand,
];

const EXAMPLES = `
Examples:
  npm run atelier -- status
  npm run atelier -- find ada@
  npm run atelier -- queue pause --reason "the store is full"
  npm run atelier -- account create ada@example.com --name "Ada Lovelace" --plan pro --reason "ticket 7"
  npm run atelier -- credits grant ada@example.com 500 --memo "welcome" --reason "ticket 7"
  npm run atelier -- key create ada@example.com --name server --scope write --reason "ticket 7"
  npm run atelier -- membership set ada@example.com --tier plus --until 2030-01-31 --reason "ticket 7"
  npm run atelier -- member-key provision ada@example.com --name laptop --reason "ticket 7"
  npm run atelier -- ticket reply tkt_… --text "Your order is on its way." --reason "answered"
  npm run atelier -- session end ada@example.com --reason "lost laptop"
  npm run atelier -- product import products.csv --dry-run
  npm run atelier -- product file add line-icons line-icons.zip --file-version 1.2 --reason "ticket 7"
  npm run atelier -- product set-status line-icons published --reason "ticket 7"
  npm run atelier -- audit
  npm run atelier -- backup /var/backups/atelier --keep 7

An <account> is an account id or an e-mail address. Exit code: 0 done, 1 refused or failed, 2 wrong usage.`;

/** Every command with its options. The reference of commands is made from it. */
export function createProgram(environment: CliEnvironment): {
  program: Command;
  cli: Cli;
  globalOptions: () => GlobalOptions;
} {
  const program = new Command("atelier")
    .description("Commands for operators and support. They call a running core (npm start).")
    .version(RELEASE, "--version", "print the release")
    .option("--json", "print JSON: the result to stdout, an error to stderr")
    .option("--operator <name>", "your name in the audit trail; by default your user on this machine")
    .option("--reason <text>", "the reason in the audit trail; every change needs one")
    .addHelpText("after", EXAMPLES)
    .configureOutput({ writeOut: environment.out, writeErr: environment.err })
    .showHelpAfterError("Run it with --help to see its arguments and options.")
    // Every command inherits it, so it is set before the commands are added.
    .exitOverride();
  const globalOptions = (): GlobalOptions => {
    const { json = false, ...operatorContext } = program.opts<{
      json?: boolean;
      operator?: string;
      reason?: string;
    }>();
    return {
      wantsJson: json,
      operatorContext: { operator: environment.userName(), reason: "", ...operatorContext },
    };
  };
  const cli = createCli(environment, globalOptions);
  for (const add of COMMAND_GROUPS) add(program, cli);
  return { program, cli, globalOptions };
}

/** Runs one command line, given without the name of the program, and returns the exit code. */
export async function runCli(args: readonly string[], environment: CliEnvironment): Promise<number> {
  const { program, cli, globalOptions } = createProgram(environment);
  let options: readonly string[] = [];
  program.hook("preAction", (_program, command) => {
    options = [...program.options, ...command.options].flatMap(({ long }) => long ?? []);
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return cli.exitCode();
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const { text, json, exitCode } = describeFailure(error, cli.coreAddress(), options);
    environment.err(globalOptions().wantsJson ? `${JSON.stringify(json)}\n` : `error: ${text}\n`);
    return exitCode;
  }
}
