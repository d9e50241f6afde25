// The entry of the operator's command line: `npm run atelier -- …`.
import { userInfo } from "node:os";
import { loadConfig } from "../runtime/config/config.ts";
import { runCli } from "./program.ts";

// `… | head` stops reading early: no one needs the rest of the output.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(1);
});

process.exitCode = await runCli(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  write: (text) =>
    new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
    }),
  userName,
  readConfig: loadConfig,
});

/** A container may run as a user without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}
