// The origins of the website and its endpoints. In development a browser may call this machine by either of its names.
import type { Config } from "../../runtime/config/config.ts";

const LOOPBACK_NAMES = ["localhost", "127.0.0.1"];

/**
 * The origin of `baseUrl`, a public URL. In development, if that is one of this machine's two names, the origin with the other name is
 * included.
 */
export function homeOrigins({ profile }: Pick<Config, "profile">, baseUrl: string): readonly string[] {
  const url = new URL(baseUrl);
  if (profile !== "development" || !LOOPBACK_NAMES.includes(url.hostname)) return [url.origin];
  return LOOPBACK_NAMES.map((name) => {
    const twin = new URL(url);
    twin.hostname = name;
    return twin.origin;
  });
}
