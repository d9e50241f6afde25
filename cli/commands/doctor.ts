// atelier doctor
import type { Command } from "commander";
import { runEntry } from "../run-entry.ts";
import type { Cli } from "../session.ts";

export function addDoctorCommand(program: Command, cli: Cli): void {
  program
    .command("doctor")
    .description("check this installation and list what to fix; exits with 1 for warnings and 2 for failures")
    // It checks everything with the settings of this environment, and needs no running core.
    .action(() => runEntry(cli, "core/entry/doctor.ts", []));
}
