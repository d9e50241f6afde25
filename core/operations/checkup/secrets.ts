// The secret values of a configuration: those that their settings declare as secret.
import { CONFIG_KEYS } from "../../../runtime/config/config-keys.ts";
import type { Config } from "../../../runtime/config/config.ts";
import { textsIn } from "../../../runtime/config/http-queue-settings.ts";

/** Shorter values occur in many a word. */
const MIN_LENGTH = 6;

type Setting = { readonly secret?: true | ((value: never) => unknown) };

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
