// Turns errors into one line that says what went wrong and what to do.
import { AppError, hasOwnMessage } from "../proto/codes.ts";
import { serviceRefusalOf } from "../proto/errors.ts";
import { SERVICE_REFUSALS } from "../proto/service-refusals.ts";
import { ConfigError } from "../runtime/config/config.ts";

/** The command line asks for something that cannot even be tried. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export type Failure = { text: string; json: { error: Record<string, unknown> }; exitCode: 1 | 2 };

/** `options` are the long options of the command that failed: a field that one of them gave is named after it. */
export function describeFailure(
  error: unknown,
  coreAddress: string | undefined,
  options: readonly string[] = [],
): Failure {
  if (error instanceof UsageError) return failure(2, "usage", error.message);
  if (error instanceof ConfigError) return failure(1, "configuration", error.message);
  if (!(error instanceof AppError))
    return failure(1, "internal", error instanceof Error ? error.message : String(error));
  if (error.code === "service_unavailable") {
    return failure(
      1,
      error.code,
      `core is not available at ${coreAddress}. Start it with npm start, or set ATELIER_CORE_ADDRESS; if it runs, look into its log.`,
    );
  }
  const refused = serviceRefusalOf(error);
  if (refused) {
    const { message } = SERVICE_REFUSALS[refused];
    return failure(
      1,
      "service_refused",
      `core at ${coreAddress} does not accept this service key. ${message} Use the data folder (ATELIER_DATA_DIR) of core, or an ATELIER_SERVICE_KEY whose public half core trusts for the cli.`,
      { reason: refused },
    );
  }
  if (error.issues?.length) {
    const text = hasOwnMessage(error)
      ? error.message
      : error.issues.map(({ path, message }) => `${optionOf(path, options)} ${message}`).join("; ");
    return failure(1, error.code, text, { issues: error.issues });
  }
  return failure(1, error.code, `${error.message} ${error.hint}`, error.numbers);
}

/** The fields of core that have another name than their option. */
const OPTIONS_OF: Readonly<Record<string, string>> = {
  "caps.day": "--max-credits-per-day",
  "caps.week": "--max-credits-per-week",
  "caps.total": "--max-credits-total",
  discount_percent: "--discount",
  expires_at: "--expires",
  max_uses: "--uses",
  max_uses_each: "--uses-each",
  off_cents: "--off",
  product_slug: "--product",
};

function optionOf(field: string, options: readonly string[]): string {
  const option = OPTIONS_OF[field] ?? `--${field.replaceAll("_", "-")}`;
  return options.includes(option) ? option : field;
}

function failure(
  exitCode: 1 | 2,
  code: string,
  message: string,
  more: Record<string, unknown> = {},
): Failure {
  // One line, whatever the message was made from.
  const text = message.replaceAll(/\s+/g, " ").trim();
  return { text, json: { error: { code, message: text, ...more } }, exitCode };
}
