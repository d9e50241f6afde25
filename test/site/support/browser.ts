// Pages of the website in a real browser. A visit fails when the page reports an error, breaks its own policy, asks another origin for
// anything, or cannot be used by everyone as axe sees it.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { startChromium } from "./chromium.ts";

/** Saved for people to look at; nothing is compared with them. */
const SCREENSHOTS = fileURLToPath(new URL("../../../artifacts/site", import.meta.url));
const WAIT_BOUND_MS = 10_000;
const HEIGHT = 900;
export const NARROW = 360;
const WIDE = 1280;
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

export type VisitOptions = {
  /** Default: wide enough for every part to have its place. */
  width?: number;
  scheme?: "light" | "dark";
  /** False shows what the server alone makes. */
  scripts?: boolean;
  cookies?: Parameters<BrowserContext["addCookies"]>[0];
  /** Messages of the console that belong to the test, for example the one about a page that is not there. */
  expectedErrors?: RegExp;
};

export type Visit = {
  readonly page: Page;
  /** What the browser received for the page and all that it loaded, headers and compressed bodies, until now. */
  transferredBytes(): number;
  /** Fails with each fault that axe finds in the page as it is now. */
  expectAccessible(): Promise<void>;
  /** Accessible and not wider than the screen, in light, dark and narrow; screenshots of each are saved under the name. */
  expectGoodInEveryLight(name: string): Promise<void>;
  /** Saves the whole page as artifacts/site/<name>.png. */
  screenshot(name: string): Promise<void>;
};

export type SiteBrowser = {
  /** Opens the path in a profile of its own, runs `work`, and then fails for whatever the browser complained about. */
  visit<T>(path: string, options: VisitOptions, work: (visit: Visit) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** `baseUrl` is where the website answers. Close it after the tests of the file. */
export async function openBrowser(baseUrl: string): Promise<SiteBrowser> {
  const chromium = await startChromium();
  return {
    visit: async (path, options, work) => {
      const context = await openContext(chromium, baseUrl, options);
      try {
        const page = await context.newPage();
        const problems = watchForProblems(page, baseUrl, options.expectedErrors);
        const transferredBytes = await countBytes(page);
        await page.goto(path, { waitUntil: "load" });
        const result = await work({
          page,
          transferredBytes,
          expectAccessible: () => expectAccessible(page),
          expectGoodInEveryLight: (name) => expectGoodInEveryLight(page, name),
          screenshot: (name) => screenshot(page, name),
        });
        if (problems.length > 0) throw new Error(`the browser said of ${path}: ${problems.join("\n")}`);
        return result;
      } finally {
        await context.close();
      }
    },
    close: () => chromium.close(),
  };
}

async function openContext(
  chromium: Browser,
  baseURL: string,
  options: VisitOptions,
): Promise<BrowserContext> {
  const { width = WIDE, scheme = "light", scripts = true, cookies = [] } = options;
  const context = await chromium.newContext({
    baseURL,
    viewport: { width, height: HEIGHT },
    colorScheme: scheme,
    javaScriptEnabled: scripts,
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(WAIT_BOUND_MS);
  if (cookies.length > 0) await context.addCookies(cookies);
  return context;
}

/** Grows while the page lives. A broken policy is an error of the console too. */
function watchForProblems(page: Page, baseUrl: string, expected: RegExp | undefined): string[] {
  const problems: string[] = [];
  const add = (text: string) => {
    if (!expected?.test(text)) problems.push(text);
  };
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") add(message.text());
  });
  page.on("pageerror", (error) => add(error.stack ?? error.message));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(baseUrl) && !/^(data|blob):/.test(url)) add(`asked another origin: ${url}`);
  });
  return problems;
}

async function countBytes(page: Page): Promise<() => number> {
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send("Network.enable");
  return () => bytes;
}

async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(AXE);
  const { violations } = (await page.evaluate("axe.run()")) as AxeResults;
  const faults = violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${impact}) at ${target.join(" ")}: ${failureSummary}`),
  );
  if (faults.length > 0) throw new Error(`axe found: ${faults.join("\n")}`);
}

const LIGHTS = [
  { name: "light", colorScheme: "light", width: WIDE },
  { name: "dark", colorScheme: "dark", width: WIDE },
  { name: "narrow", colorScheme: "light", width: NARROW },
] as const;

async function expectGoodInEveryLight(page: Page, name: string): Promise<void> {
  for (const { name: light, colorScheme, width } of LIGHTS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: HEIGHT });
    await expectAccessible(page);
    expect(
      await page.evaluate("document.documentElement.scrollWidth"),
      `width in ${light}`,
    ).toBeLessThanOrEqual(width);
    await screenshot(page, `${name}-${light}`);
  }
}

async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  // What sticks to the top would be drawn in the middle.
  await page.evaluate("scrollTo(0, 0)");
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}
