// atelier provider list | set | pause | resume
import type { Command } from "commander";
import type { CoreClient } from "../../proto/client.ts";
import { fromMessage, fromMessages } from "../../proto/codec.ts";
import { type ProviderResource, providerSchema } from "../../proto/resources/provider.ts";
import type { Provider } from "../../proto/types/atelier/v1/Provider.ts";
import { UsageError } from "../failure.ts";
import { count, fields, listing } from "../layout.ts";
import { wholeNumber } from "../parse.ts";
import type { Cli } from "../session.ts";

type Limits = { maxCalls?: number; perMinute?: number };

export function addProviderCommands(program: Command, cli: Cli): void {
  const provider = program
    .command("provider")
    .description("limit, pause and resume providers (needs --reason to change)");

  const show = (call: (core: CoreClient) => Promise<Provider>) =>
    cli.report(async (core) => fromMessage(providerSchema, await call(core)), providerText);

  provider
    .command("list")
    .description("list the providers with their calls and waiting jobs")
    .action(async () => {
      const { providers } = await cli.withCore((core) => core.admin.ListProviders({}));
      const rows = fromMessages(providerSchema, providers);
      cli.show(
        rows,
        listing(rows, {
          PROVIDER: "provider",
          STATUS: status,
          CALLS: ({ calls, max_calls }) => used(calls, max_calls),
          "LAST MINUTE": (row) => used(row.calls_last_minute, row.max_calls_per_minute),
          "JOBS WAITING": "jobs_waiting",
        }),
      );
    });

  provider
    .command("set <provider>")
    .description("limit the calls of a provider over all workers; 0 removes a limit")
    .option("--max-calls <n>", "concurrent calls", wholeNumber)
    .option("--per-minute <n>", "calls started per minute", wholeNumber)
    .action(async (name: string, { maxCalls, perMinute }: Limits) => {
      if (maxCalls === undefined && perMinute === undefined)
        throw new UsageError("Say what to set: --max-calls, --per-minute, or both.");
      const limits = { max_calls: maxCalls, max_calls_per_minute: perMinute };
      await show((core) => core.admin.SetProviderLimits({ provider: name, ...limits }));
    });

  provider
    .command("pause <provider>")
    .description("pause a provider, and with it all models that have no other one")
    .addHelpText(
      "after",
      "\nRunning calls continue. Running jobs wait before their next call, and their run deadline is suspended; waiting jobs wait. A pause survives restarts.",
    )
    .action((name: string) => show((core) => core.admin.PauseProvider({ provider: name })));

  provider
    .command("resume <provider>")
    .description("resume a paused provider")
    .action((name: string) => show((core) => core.admin.ResumeProvider({ provider: name })));
}

function providerText(row: ProviderResource): string {
  return fields([
    ["provider", row.provider],
    ["status", status(row)],
    ["calls", used(row.calls, row.max_calls)],
    ["last minute", used(row.calls_last_minute, row.max_calls_per_minute)],
    ["jobs waiting", count(row.jobs_waiting)],
  ]);
}

function status({ paused, configured }: ProviderResource): string {
  if (!configured) return "not set up";
  return paused ? "paused" : "live";
}

/** For example `3 of 10`; without a limit nothing is counted. */
function used(now: number | null, limit: number | null): string {
  if (limit === null) return "no limit";
  return `${count(now ?? 0)} of ${count(limit)}`;
}
