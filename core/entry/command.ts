// Common parts of operators' commands that open the database themselves (upgrade, backup, restore): settings, a connection, one way to
// print for people and machines, and errors as one line.
import { checkConfig, type Config, ConfigError, loadConfig } from "../../runtime/config/config.ts";
import { createLog, type Logger } from "../../runtime/log/log.ts";
import { keepNewFilesPrivate } from "../../runtime/process/private-folder.ts";
import { requireSetting } from "../../runtime/process/run.ts";
import { StartupError } from "../../runtime/process/startup-error.ts";
import { connectMongo, type Mongo } from "../base/mongo/client.ts";

export type CommandOutput = {
  /** Reports progress, next to the result. */
  readonly log: Logger;
  /** Prints the result: `machine` for machines, `people` as lines for people. */
  show(machine: unknown, people: readonly string[]): void;
  /** Ends with exit code 1 although the work was finished. */
  fail(text: string): void;
};

export type CommandFrame = CommandOutput & { readonly config: Config; readonly mongo: Mongo };

type OutputOptions = {
  /** Also the code of its errors for machines. */
  readonly name: string;
  readonly json: boolean;
};
type CommandOptions = OutputOptions & {
  /** Why MONGODB_URI is required. */
  readonly needsMongo: string;
};

export function runCommand(
  { needsMongo, ...options }: CommandOptions,
  work: (frame: CommandFrame) => Promise<void>,
): Promise<void> {
  return runWithoutDatabase(options, async (output) => {
    const config = loadConfig();
    const mongo = await connectMongo(requireSetting(config, "mongodbUri", needsMongo), config.mongoDatabase);
    try {
      await work({ ...output, config, mongo });
    } finally {
      await mongo.client.close();
    }
  });
}

/** The same for a command that needs neither the database nor the settings of a core. */
export async function runWithoutDatabase(
  { name, json }: OutputOptions,
  work: (output: CommandOutput) => Promise<void>,
): Promise<void> {
  keepNewFilesPrivate();
  const fail = (text: string) => {
    process.exitCode = 1;
    const machine = JSON.stringify({ error: { code: name, message: text } });
    process.stderr.write(json ? `${machine}\n` : `error: ${text}\n`);
  };
  const show: CommandOutput["show"] = (machine, people) =>
    void process.stdout.write(json ? `${JSON.stringify(machine)}\n` : `${people.join("\n")}\n`);
  try {
    await work({ log: createLog(checkConfig().config.logLevel, name, process.stderr), show, fail });
  } catch (error) {
    if (!(error instanceof Error) || !isPlain(error)) throw error;
    fail(error.name.startsWith("Mongo") ? `MongoDB cannot be used: ${error.message}` : error.message);
  }
}

function isPlain(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return (
    error instanceof StartupError ||
    error instanceof ConfigError ||
    error.name.startsWith("Mongo") ||
    error.name === "ObjectStoreError" ||
    // Errors of the file system: no space, no permission to write.
    /^E[A-Z]+$/.test(code ?? "")
  );
}
