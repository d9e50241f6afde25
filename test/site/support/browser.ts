// Pages of the website in a real browser. A visit fails when the page reports an error, violates its own policy, calls another origin, or
// has an accessibility fault.
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect, inject } from "vitest";
import { startChromium } from "./chromium.ts";

/** Saved for people with `--mode thorough`, because a screenshot takes longer than a check; not compared. */
const SCREENSHOTS = fileURLToPath(new URL("../../../artifacts/site", import.meta.url));
const WAIT_BOUND_MS = 60_000;
const HEIGHT = 900;
export const NARROW = 360;
const WIDE = 1280;
/** A small phone: its first screen is measured, with finer pixels than a page's. */
const PHONE = {
  viewport: { width: NARROW, height: 740 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};
/** Lighthouse's slow 4G and mid-range phone. */
const SLOW_LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 };
const SLOW_PROCESSOR = { rate: 4 };
/** A fifth of the limit that web vitals call good. */
export const MAX_SHIFT = 0.02;
/** All of axe's usual rules about colours. */
const OF_COLOURS = '["color-contrast", "link-in-text-block"]';
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

export type VisitOptions = {
  /** Default: wide enough for every component. */
  width?: number;
  scheme?: "light" | "dark";
  /** A small phone with a touch screen, whatever the width. */
  phone?: boolean;
  /** A mid-range processor behind a slow line; for measured times, which no test asserts. */
  slow?: boolean;
  /** False shows the server's HTML alone. */
  scripts?: boolean;
  cookies?: Parameters<BrowserContext["addCookies"]>[0];
  /** Shown instead of the path's response, for the response to a form. */
  shown?: string;
  /** Expected console messages, for example about a 404 page. */
  expectedErrors?: RegExp;
};

export type Visit = {
  readonly page: Page;
  /** Bytes received for the page and its resources so far, with headers and compressed bodies. */
  transferredBytes(): number;
  /** The browser's measurements of the page so far. Needs scripts. */
  steadiness(): Promise<Steadiness>;
  /** Fails for each axe violation in the current page, or for those of colours alone where nothing else has changed. */
  expectAccessible(of?: "colours"): Promise<void>;
  /** Accessible and not wider than the screen, in light, dark and narrow; with named screenshots. */
  expectGoodInEveryLight(name: string): Promise<void>;
  /** Saves the whole page as artifacts/site/<name>.png, where screenshots are enabled. */
  screenshot(name: string): Promise<void>;
};

export type Steadiness = {
  /** The layout shifts without user input, and their elements: every shift counts, more strictly than in web vitals. */
  readonly shift: number;
  readonly shifted: readonly string[];
  /** The time of the largest contentful paint, and its element. */
  readonly largestPaintMs: number;
  readonly largest: string;
};

export type SiteBrowser = {
  /** Opens the path in a new profile, runs `work`, and then fails for browser errors. */
  visit<T>(path: string, options: VisitOptions, work: (visit: Visit) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** `baseUrl` is the website's URL. Close it after the tests of the file. */
export async function openBrowser(baseUrl: string): Promise<SiteBrowser> {
  const chromium = await startChromium();
  return {
    visit: async (path, options, work) => {
      const context = await openContext(chromium, baseUrl, options);
      try {
        const page = await context.newPage();
        const problems = watchForProblems(page, baseUrl, options.expectedErrors);
        const transferredBytes = await countBytes(page, options.slow ?? false);
        const { shown } = options;
        if (shown !== undefined) {
          const headers = { "content-type": "text/html; charset=utf-8" };
          await page.route(`${baseUrl}${path}`, (route) => route.fulfill({ body: shown, headers }));
        }
        await page.goto(path, { waitUntil: "load" });
        const steadiness = () => page.evaluate<Steadiness>(SEEN_AFTER_A_FRAME);
        const result = await work({
          page,
          transferredBytes,
          steadiness,
          expectAccessible: (of) => expectAccessible(page, of),
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
  const { width = WIDE, scheme = "light", phone = false, scripts = true, cookies = [] } = options;
  const context = await chromium.newContext({
    baseURL,
    viewport: { width, height: HEIGHT },
    ...(phone && PHONE),
    colorScheme: scheme,
    javaScriptEnabled: scripts,
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(WAIT_BOUND_MS);
  await context.addInitScript(WATCH_PAGE);
  if (cookies.length > 0) await context.addCookies(cookies);
  return context;
}

/** Grows while the page is open. A CSP violation is a console error too. */
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

/** Runs before the page's scripts. Shifts within half a second of an input count as the person's. */
const WATCH_PAGE = `(() => {
  const seen = { shift: 0, shifted: [], largestPaintMs: 0, largest: "" };
  globalThis.seenSoFar = seen;
  const nameOf = (node) => node instanceof Element
    ? node.tagName.toLowerCase() + (node.id && "#" + node.id) + [...node.classList].map((name) => "." + name).join("")
    : String(node?.nodeName);
  const watch = (type, look) =>
    new PerformanceObserver((list) => list.getEntries().forEach(look)).observe({ type, buffered: true });
  watch("layout-shift", ({ hadRecentInput, value, sources }) => {
    if (hadRecentInput) return;
    seen.shift += value;
    seen.shifted.push(...sources.map(({ node }) => nameOf(node)));
  });
  watch("largest-contentful-paint", ({ startTime, element }) => {
    seen.largestPaintMs = startTime;
    seen.largest = nameOf(element);
  });
})()`;
/** The shifts of the last frame are reported after the next one. */
const SEEN_AFTER_A_FRAME = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(globalThis.seenSoFar)))))`;

export function expectSteady(what: string, { shift, shifted }: Pick<Steadiness, "shift" | "shifted">): void {
  if (shift > MAX_SHIFT) throw new Error(`${what} moved by ${shift.toFixed(3)}: ${shifted.join(", ")}`);
}

async function countBytes(page: Page, slow: boolean): Promise<() => number> {
  const session = await page.context().newCDPSession(page);
  if (slow) {
    await session.send("Network.emulateNetworkConditions", SLOW_LINE);
    await session.send("Emulation.setCPUThrottlingRate", SLOW_PROCESSOR);
  }
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await session.send("Network.enable");
  return () => bytes;
}

async function expectAccessible(page: Page, of?: "colours"): Promise<void> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(AXE);
  const run = of ? `axe.run({ runOnly: { type: "rule", values: ${OF_COLOURS} } })` : "axe.run()";
  const { violations } = (await page.evaluate(run)) as AxeResults;
  const faults = violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${impact}) at ${target.join(" ")}: ${failureSummary}`),
  );
  if (faults.length > 0) throw new Error(`axe found: ${faults.join("\n")}`);
}

/** Each scheme and each width once; with `--mode thorough` both schemes on a wide screen. */
const LIGHTS = [
  { name: "light", colorScheme: "light", width: WIDE },
  ...(inject("isThorough") ? [{ name: "dark", colorScheme: "dark", width: WIDE } as const] : []),
  { name: "narrow", colorScheme: "dark", width: NARROW },
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
  if (!inject("isThorough")) return;
  const path = join(SCREENSHOTS, `${name}.png`);
  mkdirSync(dirname(path), { recursive: true });
  // Sticky elements would be drawn in the middle.
  await page.evaluate("scrollTo(0, 0)");
  await page.screenshot({ path, fullPage: true });
}
