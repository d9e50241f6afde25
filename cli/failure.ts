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

export function describeFailure(error: unknown, coreAddress: string | undefined): Failure {
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
      : error.issues.map(({ path, message }) => `${path} ${message}`).join("; ");
    return failure(1, error.code, text, { issues: error.issues });
  }
  return failure(1, error.code, `${error.message} ${error.hint}`, error.numbers);
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
