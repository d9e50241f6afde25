// atelier session end
import type { Command } from "commander";
import { counted } from "../layout.ts";
import type { Cli } from "../session.ts";

export function addSessionCommands(program: Command, cli: Cli): void {
  const session = program.command("session").description("end browser sessions");

  session
    .command("end <account>")
    .description("sign the account out of every browser, from the next request on")
    .action((account: string) =>
      cli.report(
        (core) => core.admin.EndSessions({ account }),
        ({ ended, account_id }) => `${counted(ended, "session")} of ${account_id} ended`,
      ),
    );
}
