// atelier service-token issue | revoke | key
import { randomUUID } from "node:crypto";
import { type Command, InvalidArgumentError } from "commander";
import {
  ACT_AS,
  HOLD_CREDITS,
  type Claim,
  isForeignServiceName,
  isOwnService,
  OWN_SERVICE_NAMES,
  SERVICE_SCOPES,
} from "../../runtime/config/service-names.ts";
import {
  keyId,
  loadServiceKey,
  newServiceKey,
  signServiceToken,
  trustedKey,
} from "../../runtime/keys/service-token.ts";
import { UsageError } from "../failure.ts";
import { count, counted, fields } from "../layout.ts";
import { wholeNumber } from "../parse.ts";
import type { Cli } from "../session.ts";

const DAY_SECONDS = 86_400;
const MAX_DAYS = 366;

const SCOPES: readonly Claim[] = [...SERVICE_SCOPES, HOLD_CREDITS];

type RightsOptions = { scope?: Claim[]; actAs?: boolean };
type IssueOptions = RightsOptions & { days: number };

export function addServiceTokenCommands(program: Command, cli: Cli): void {
  const token = program.command("service-token").description("manage tokens of internal services");
  const scopeOption = ["--scope <services...>", `services it may call: ${SCOPES.join(", ")}`] as const;
  const actAsOption = ["--act-as", "it may also call on behalf of any account without a key"] as const;

  token
    .command("issue")
    .argument("<name>", "name of the service, in lower-case letters, digits and hyphens", foreignName)
    .description("sign a token for an internal service; it is shown once and not stored")
    .requiredOption(...scopeOption, addScopes)
    .option(...actAsOption)
    .requiredOption("--days <n>", `days until it expires, 1 to ${MAX_DAYS}`, days)
    .action((name: string, options: IssueOptions) => issue(cli, name, options));

  token
    .command("revoke <name>")
    .description("refuse every token of this name permanently, within a second, at every core")
    .action(async (name: string) => {
      await cli.withCore((core) => core.admin.RevokeServiceName({ name }));
      cli.show(
        { name, revoked: true },
        `${name} is refused from now on; a service that comes back needs another name`,
      );
    });

  token
    .command("limit")
    .argument("<name>", "name of the service", foreignName)
    .description("set how many credits a service may hold in a calendar month (UTC), with scope Credits.Hold")
    .requiredOption("--credits <n>", "0 or more", wholeNumber)
    .action(async (name: string, { credits }: { credits: number }) => {
      const { max_credits, credits_this_month } = await cli.withCore((core) =>
        core.admin.SetServiceLimit({ name, max_credits: credits }),
      );
      cli.show(
        { name, max_credits, credits_this_month },
        `${name} may hold ${counted(max_credits, "credit")} a month, of which ${count(credits_this_month)} are used`,
      );
    });

  token
    .command("key")
    .argument("<name>", "gateway, mcp, cli, or another service that signs its own tokens", signerName)
    .description("create a signing key for production; it is shown once and not stored")
    .option(...scopeOption, addScopes)
    .option(...actAsOption)
    .action((name: string, options: RightsOptions) => makeKey(cli, name, options));
}

async function issue(cli: Cli, name: string, { days: forDays, ...options }: IssueOptions): Promise<void> {
  const claims = rights(options);
  const tokenId = randomUUID();
  const seconds = forDays * DAY_SECONDS;
  const expiresAt = new Date(Date.now() + seconds * 1000).toISOString();
  // This also checks whether core would accept it: not under a revoked name.
  await cli.withCore((core) =>
    core.admin.RecordServiceToken({ name, scopes: [...claims], token_id: tokenId, expires_at: expiresAt }),
  );
  const signed = await signServiceToken(loadServiceKey(cli.config(), "cli"), name, claims, seconds, tokenId);
  cli.show(
    { token: signed, token_id: tokenId, name, scope: claims, expires_at: expiresAt },
    fields([
      ["token", signed],
      ["token id", tokenId],
      ["name", name],
      ["may", claims.join(", ")],
      ["expires", expiresAt],
      ["", `The token is not shown again. To refuse it early: atelier service-token revoke ${name}`],
    ]),
  );
}

async function makeKey(cli: Cli, name: string, options: RightsOptions): Promise<void> {
  if (!isOwnService(name) && !options.scope)
    throw new UsageError(`--scope is needed: what may tokens of ${name} claim?`);
  const claims = rights(options);
  const pem = newServiceKey();
  const trusted = trustedKey(pem, name);
  const jwk = {
    ...trusted.jwk,
    kid: await keyId(trusted),
    name,
    ...(claims.length > 0 && { scopes: claims }),
  };
  cli.show(
    { private_key: pem, trusted_key: jwk },
    [
      pem.trim(),
      "",
      `ATELIER_SERVICE_KEY of ${name} alone; it is not shown again. Its public half goes into the keys of`,
      "ATELIER_SERVICE_TRUSTED_KEYS of every core:",
      "",
      JSON.stringify(jwk),
    ].join("\n"),
  );
}

function rights({ scope = [], actAs = false }: RightsOptions): Claim[] {
  return actAs ? [...scope, ACT_AS] : scope;
}

function foreignName(name: string): string {
  if (isForeignServiceName(name)) return name;
  throw new InvalidArgumentError(
    OWN_SERVICE_NAMES.includes(name)
      ? "Atelier's own processes use this name."
      : "Lower-case letters, digits and hyphens, at most 63, a letter first.",
  );
}

function signerName(name: string): string {
  return isOwnService(name) ? name : foreignName(name);
}

function days(text: string): number {
  const value = wholeNumber(text);
  if (value < 1 || value > MAX_DAYS) throw new InvalidArgumentError(`From 1 to ${MAX_DAYS}.`);
  return value;
}

/** Called for each argument after --scope, which may also be a comma-separated list. */
function addScopes(text: string, before: Claim[] | undefined): Claim[] {
  const added = text.split(",").map((word) => {
    const scope = SCOPES.find((known) => known.toLowerCase() === word.trim().toLowerCase());
    if (!scope) throw new InvalidArgumentError(`One or more of ${SCOPES.join(", ")}.`);
    return scope;
  });
  return [...new Set([...(before ?? []), ...added])];
}
