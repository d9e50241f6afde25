// Checks the settings themselves: what a start would refuse, which exceptions are allowed, and who may read the files with secrets.
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { CONFIG_KEYS } from "../../../runtime/config/config-keys.ts";
import type { Config } from "../../../runtime/config/config.ts";
import { textsIn } from "../../../runtime/config/http-queue-settings.ts";
import { fail, type Finding, pass, warn } from "./finding.ts";

const ANYONE_READS = 0o004;
const ANYONE_ENTERS = 0o001;
const OTHERS_WRITE = 0o022;
/** The folder of a container's secrets, where there are no other users. */
const OF_CONTAINER = "/run/secrets/";

export function checkSettings(config: Config, problems: readonly string[]): Finding[] {
  const about = "settings";
  const found: Finding[] = problems.map((problem) =>
    fail(about, problem, "fix the setting: no process starts with it"),
  );
  if (config.profile !== "production")
    found.push(
      warn(about, "NODE_ENV is not production: what is unsafe is allowed", "set NODE_ENV=production"),
    );
  for (const name of config.allowInsecure)
    found.push(
      warn(about, `${CONFIG_KEYS.allowInsecure.env} allows ${name}`, "fix what it allows, and leave it out"),
    );
  if (config.secretsAccepted.length > 0)
    found.push(
      warn(
        about,
        `${CONFIG_KEYS.secretsAccepted.env} has ${config.secretsAccepted.length}: a rotation is under way`,
        "empty it when what the old secret signed is over (docs/operations/secrets.md)",
      ),
    );
  const isFace = config.serviceKey !== undefined && config.mongodbUri === undefined;
  if (isFace && !config.trustProxy && config.baseUrl?.startsWith("https:"))
    found.push(
      warn(
        "proxy",
        "TLS ends at a proxy whose X-Forwarded-For is not trusted: all clients share its address and its rate limits",
        `set ${CONFIG_KEYS.trustProxy.env}=1 on gateways and tool servers that only the proxy can reach`,
      ),
    );
  if (config.smtpUrl !== undefined && /@localhost>?$/.test(config.mailFrom))
    found.push(
      fail(
        "mail",
        "the sender is an address of localhost",
        `set ${CONFIG_KEYS.mailFrom.env} to one of your domain`,
      ),
    );
  return found.length > 0 ? found : [pass(about, "can be used, and production refuses none of them")];
}

/** `files`: by the variable that names each. */
export function checkSecretFiles(files: ReadonlyMap<string, string>): Finding[] {
  const about = "files with secrets";
  const found = [...files].flatMap(([variable, path]) => {
    const mode = modeOf(path);
    // A file that cannot be read has been reported already.
    if (mode === undefined) return [];
    if (mode & OTHERS_WRITE)
      return fail(about, `others may write ${path} (${variable})`, `chmod go-w ${path}`);
    return mode & ANYONE_READS && isReachable(path)
      ? warn(
          about,
          `anyone on this machine may read ${path} (${variable})`,
          `chmod 600 ${path}, or close its folder`,
        )
      : [];
  });
  if (found.length > 0 || files.size === 0) return found;
  return [pass(about, `${files.size}, for their owner alone`)];
}

function modeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mode;
}

/** Whether every folder on the way admits other users. */
function isReachable(path: string): boolean {
  if (path.startsWith(OF_CONTAINER)) return false;
  const folder = dirname(path);
  if (((modeOf(folder) ?? 0) & ANYONE_ENTERS) === 0) return false;
  return folder === dirname(folder) || isReachable(folder);
}

/** Shorter values occur in many a word. */
const MIN_LENGTH = 6;

type Setting = { readonly secret?: true | ((value: never) => unknown) };

/** The secret values of a configuration: those that their settings declare as secret. */
export function secretsOf(config: Config): readonly string[] {
  const settings = Object.entries(CONFIG_KEYS) as [keyof Config, Setting][];
  const all = settings.flatMap(([name, { secret }]) => {
    if (secret === undefined) return [];
    const value = config[name];
    return textsIn(secret === true ? value : secret(value as never));
  });
  return [...new Set(all)]
    .filter(({ length }) => length >= MIN_LENGTH)
    .toSorted((a, b) => b.length - a.length);
}
