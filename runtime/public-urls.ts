// The public addresses of this installation.
import type { Config } from "./config/config.ts";

/** Without a trailing slash. */
export function publicUrls(config: Config): { baseUrl: string; generationBaseUrl: string } {
  const baseUrl = (config.baseUrl ?? `http://localhost:${config.httpPort}`).replace(/\/$/, "");
  return { baseUrl, generationBaseUrl: (config.generationBaseUrl ?? baseUrl).replace(/\/$/, "") };
}
