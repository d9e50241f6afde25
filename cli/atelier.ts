// Entry of the operator's command line: `npm run atelier -- …`.
import { loadConfig } from "../runtime/config.ts";
import { runCli } from "./program.ts";

process.exitCode = await runCli(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  readConfig: loadConfig,
});
