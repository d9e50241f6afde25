// Where crawlers may go: every GET route of the gateway says so, and /robots.txt and /sitemap.xml are made from that.
import type { FastifyContextConfig, FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * "indexed": the sitemap names it. "open": crawlers may read it. By default a route is open only if its access says that anyone may
     * call it.
     */
    crawlers?: "indexed" | "open";
  }
}

type RouteOptions = { readonly config: FastifyContextConfig };

/** The options of such routes. */
export const INDEXED: RouteOptions = { config: { crawlers: "indexed" } };
export const OPEN: RouteOptions = { config: { crawlers: "open" } };

export type CrawledPaths = {
  readonly indexed: readonly string[];
  /** The lines of /robots.txt. */
  readonly rules: () => readonly string[];
};

/** Collects the routes that are declared from now on. */
export function collectCrawledPaths(server: FastifyInstance): CrawledPaths {
  const indexed: string[] = [];
  const open = new Set<string>();
  const closed = new Set<string>();
  server.addHook("onRoute", ({ method, url, config }) => {
    if (![method].flat().includes("GET")) return;
    if (config?.crawlers === "indexed") indexed.push(url);
    const isOpen = config?.crawlers !== undefined || config?.access?.by === "none";
    (isOpen ? open : closed).add(url.split("/:")[0] ?? url);
  });
  return { indexed, rules: () => rulesOf([...open], [...closed]) };
}

/** A rule applies to every path with its prefix, and the longest rule wins. */
function rulesOf(open: readonly string[], closed: readonly string[]): string[] {
  const starts = shortest(closed.map((path) => `/${path.split("/")[1]}`));
  const within = shortest(open.filter((path) => starts.some((start) => path.startsWith(start))));
  return [...within.map((path) => `Allow: ${path}`), ...starts.map((path) => `Disallow: ${path}`)];
}

/** Leaves out rules that begin with another one. */
function shortest(paths: readonly string[]): string[] {
  const sorted = [...new Set(paths)].toSorted();
  return sorted.filter((path) => !sorted.some((other) => other !== path && path.startsWith(other)));
}
