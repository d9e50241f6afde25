// The environment of a command: core, and one way to print for people and machines.
import { connectCore } from "../edge/core-connection.ts";
import type { OperatorContext } from "../proto/caller.ts";
import type { CoreClient } from "../proto/client.ts";
import type { Config } from "../runtime/config/config.ts";
import { UsageError } from "./failure.ts";

export type CliEnvironment = {
  out(text: string): void;
  err(text: string): void;
  /** Like `out`, for output too large to wait in memory: resolves when the reader has taken it. */
  write(text: string): Promise<void>;
  /** The name of the user who runs the command; empty if the machine has none. */
  userName(): string;
  /** Called when a command needs it, so that --help works without any configuration. Throws ConfigError. */
  readConfig(): Config;
};

export type Cli = {
  config(): Config;
  /** The address of the last call; undefined before the first call. */
  coreAddress(): string | undefined;
  /** Runs `work` with a client of core that may call the operators' services. */
  withCore<T>(work: (core: CoreClient) => Promise<T>): Promise<T>;
  /** Prints the result: `json` for machines, `text` for people. */
  show(json: unknown, text: string): void;
  /** Calls core and prints its response, for people as `text` words it. */
  report<T>(call: (core: CoreClient) => Promise<T>, text: (response: T) => string): Promise<void>;
  /** Writes `text` to standard output unchanged, for people and machines, no faster than it is read. */
  write(text: string): Promise<void>;
  /** Reports something while the command continues: one line on standard error, JSON for machines. */
  note(json: unknown, text: string): void;
  /** Ends with exit code 1 although the command itself finished. `text` is the reason for people; machines have it from `show`. */
  fail(text: string): void;
  /** Ends with the exit code of a process that did the command's work and has already reported on it. */
  exitWith(code: number): void;
  wantsJson(): boolean;
  exitCode(): number;
};

/** The descriptions of the options that every command takes. */
export type GlobalOptions = { readonly wantsJson: boolean; readonly operatorContext: OperatorContext };

export function createCli(environment: CliEnvironment, globalOptions: () => GlobalOptions): Cli {
  let config: Config | undefined;
  let address: string | undefined;
  let exitCode = 0;
  const wantsJson = () => globalOptions().wantsJson;
  const readConfig = () => (config ??= environment.readConfig());

  async function withCore<T>(work: (core: CoreClient) => Promise<T>): Promise<T> {
    address = coreAddress(readConfig());
    const { operatorContext } = globalOptions();
    const core = connectCore(readConfig(), "cli", { address, operatorContext });
    try {
      return await work(core);
    } finally {
      core.close();
    }
  }

  function show(json: unknown, text: string): void {
    environment.out(wantsJson() ? `${JSON.stringify(json)}\n` : `${text}\n`);
  }

  return {
    config: readConfig,
    coreAddress: () => address,
    withCore,
    show,
    async report(call, text) {
      const response = await withCore(call);
      show(response, text(response));
    },
    write: environment.write,
    note: (json, text) => environment.err(wantsJson() ? `${JSON.stringify(json)}\n` : `${text}\n`),
    fail: (text) => {
      exitCode = 1;
      if (!wantsJson()) environment.err(`error: ${text}\n`);
    },
    exitWith: (code) => {
      exitCode = code;
    },
    wantsJson,
    exitCode: () => exitCode,
  };
}

function coreAddress(config: Config): string {
  if (config.coreAddress) return config.coreAddress;
  if (config.grpcPort !== 0) return `127.0.0.1:${config.grpcPort}`;
  throw new UsageError(
    "ATELIER_GRPC_PORT is 0, so core's port is not known: set ATELIER_CORE_ADDRESS to its address",
  );
}
