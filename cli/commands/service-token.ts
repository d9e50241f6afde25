// atelier service-token issue | revoke
import { type Command, InvalidArgumentError } from "commander";
import {
  isForeignServiceName,
  loadServiceKey,
  OWN_SERVICE_NAMES,
  SERVICE_SCOPES,
  type ServiceScope,
  signServiceToken,
} from "../../runtime/service-token.ts";
import { fields } from "../layout.ts";
import { wholeNumber } from "../parse.ts";
import type { Cli } from "../session.ts";

const DAY_SECONDS = 86_400;
const MAX_DAYS = 366;

type IssueOptions = { scope: ServiceScope[]; days: number };

export function addServiceTokenCommands(program: Command, cli: Cli): void {
  const token = program.command("service-token").description("let other internal services call core");

  token
    .command("issue")
    .argument("<name>", "name of the service, in lower-case letters, digits and hyphens", serviceName)
    .description("sign a token for an internal service; it is shown this once and kept nowhere")
    .requiredOption("--scope <services...>", `what it may call: ${SERVICE_SCOPES.join(", ")}`, addScopes)
    .requiredOption("--days <n>", `days until it ends, 1 to ${MAX_DAYS}`, days)
    .action(async (name: string, { scope, days }: IssueOptions) => {
      const expiresAt = new Date(Date.now() + days * DAY_SECONDS * 1000).toISOString();
      const signed = await signServiceToken(loadServiceKey(cli.config()), name, scope, days * DAY_SECONDS);
      cli.show(
        { token: signed, name, scope, expires_at: expiresAt },
        fields([
          ["token", signed],
          ["name", name],
          ["may call", scope.join(", ")],
          ["expires", expiresAt],
          ["", `The token is not shown again. To refuse it early: atelier service-token revoke ${name}`],
        ]),
      );
    });

  token
    .command("revoke <name>")
    .description("refuse every token of this name for good, within a second, at every core")
    .action(async (name: string) => {
      await cli.withCore((core) => core.admin.RevokeServiceName({ name }));
      cli.show(
        { name, revoked: true },
        `${name} is refused from now on; a service that comes back needs another name`,
      );
    });
}

function serviceName(name: string): string {
  if (isForeignServiceName(name)) return name;
  throw new InvalidArgumentError(
    OWN_SERVICE_NAMES.includes(name)
      ? "Atelier's own processes use this name."
      : "Lower-case letters, digits and hyphens, at most 63, a letter first.",
  );
}

function days(text: string): number {
  const value = wholeNumber(text);
  if (value < 1 || value > MAX_DAYS) throw new InvalidArgumentError(`From 1 to ${MAX_DAYS}.`);
  return value;
}

/** Called for each word after --scope; a word may also be a comma-separated list. */
function addScopes(text: string, before: ServiceScope[] | undefined): ServiceScope[] {
  const added = text.split(",").map((word) => {
    const scope = SERVICE_SCOPES.find((known) => known.toLowerCase() === word.trim().toLowerCase());
    if (!scope) throw new InvalidArgumentError(`One or more of ${SERVICE_SCOPES.join(", ")}.`);
    return scope;
  });
  return [...new Set([...(before ?? []), ...added])];
}
