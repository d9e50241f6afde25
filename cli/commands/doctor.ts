// atelier doctor
import type { Command } from "commander";
import { runEntry } from "../run-entry.ts";
import type { Cli } from "../session.ts";

export function addDoctorCommand(program: Command, cli: Cli): void {
  program
    .command("doctor")
    .description(
      "check this set-up and say what to mend; ends with 1 when something should be mended, with 2 when something must be",
    )
    // It looks at everything with the settings of this environment, and needs no running core.
    .action(() => runEntry(cli, "core/entry/doctor.ts", []));
}
