// Rules for every page of the website: plain words, working links, small size and no layout shift. The long form, `npm run browse`, checks
// each on desktop and phone, in light and dark, and measures times on a slow phone.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { readText } from "../support/mail-server.ts";
import {
  browserOf,
  followLinks,
  linkedStates,
  linksToItself,
  openState,
  type SitePage,
  type State,
  statesOf,
  type Who,
} from "./support/all-pages.ts";
import {
  expectSteady,
  MAX_SHIFT,
  openBrowser,
  type SiteBrowser,
  type Steadiness,
  type Visit,
  type VisitOptions,
} from "./support/browser.ts";
import { cookiesOf } from "./support/forms.ts";
import { type Scene, setScene } from "./support/set-scene.ts";
import { technicalWords, wordsOf } from "./support/words.ts";

const isThorough = inject("isThorough");
const ARTIFACTS = fileURLToPath(new URL("../../artifacts/site", import.meta.url));
const MIN_PAGES = 10;
const ALL_BOUND_MS = 30 * 60_000;

/** The font of headings, which browsers keep: only the first page of a visit loads it. */
const FONT_BYTES = 16_500;
/** Bytes of a first visit, with everything that the page loads except the font. */
const MAX_BYTES = 60_000;
/** Pages that create works, and pages that show the customer's six works as thumbnails of 5 to 9 kB. */
const MAX_BYTES_OF_WORKS = 120_000;
/** A player reads the whole of a short file. */
const MAX_BYTES_OF_AUDIO = 200_000;
/** Checked with every run of the tests. */
const MAIN_PAGES = [
  "start",
  "products",
  "products-none",
  "product",
  "product-soon",
  "generate-new",
  "generate",
  "generate-done",
  "job-image",
  "jobs",
  "credits",
  "packs",
  "checkout",
  "demo-payment",
  "checkout-return",
  "orders",
  "order-paid",
  "settings",
  "keys",
  "callbacks",
  "plan",
  "membership",
  "sessions",
  "support-new",
  "support",
  "support-ask",
  "ticket",
];
const WITH_WORKS = /^\/(generate|models|jobs|credits)(?:$|[/?])/;
const LOOKED_AT_ERRORS = ["error-internal", "error-rate_limited", "error-request_forged"];

/** Documentation may name endpoints and fields. */
const FOR_PROGRAMMERS = /^\/docs(?:$|[/?#])/;

let scene: Scene;
let browser: SiteBrowser;
let states: State[];

beforeAll(async () => {
  scene = await setScene();
  states = statesOf(scene);
  if (isThorough) states.push(...(await linkedStates(scene, states)));
  browser = await openBrowser(scene.service.url);
});
afterAll(async () => {
  await browser.close();
  await scene.close();
});

const as = (who: Who, options: VisitOptions = {}): VisitOptions => {
  const person = browserOf(scene, who);
  return { ...options, ...(person && { cookies: cookiesOf(person, scene.service.url) }) };
};

describe("all pages", () => {
  const pages: SitePage[] = [];

  test.each(["stranger", "newcomer", "customer"] as const)("have no broken link for a %s", async (who) => {
    const followed = await followLinks(scene, who, "/");
    pages.push(...followed.pages);
    expect(followed.pages.length).toBeGreaterThan(MIN_PAGES);
    expect(followed.dead).toEqual([]);
    const circles = followed.pages.flatMap((page) =>
      linksToItself(page).map((link) => `${page.path}: ${link}`),
    );
    expect(circles).toEqual([]);
  });

  test("use no endpoint, field or status code outside the documentation, and no time in UTC alone", async () => {
    const named: SitePage[] = [];
    for (const state of states) named.push(await openState(scene, state));
    const forPeople = [...named, ...pages].filter(({ path }) => !FOR_PROGRAMMERS.test(path));
    writeAllWords(forPeople);
    const findings = forPeople.flatMap(({ name, path, html }) =>
      technicalWords(wordsOf(html)).map((found) => `${name} (${path}): ${found}`),
    );
    expect([...new Set(findings)]).toEqual([]);
    expect([...new Set(forPeople.flatMap(fixedTimes))]).toEqual([]);
  });
});

/** For an editor to read from beginning to end: each line once, under the first page with it. */
function writeAllWords(pages: readonly SitePage[]): void {
  const said = new Set<string>();
  const chapters = [
    ...pages.map(({ name, path, html }) => ({ title: `${name} (${path})`, lines: wordsOf(html) })),
    ...scene.mail.received.map(({ raw }, i) => ({ title: `mail ${i + 1}`, lines: mailLines(raw) })),
  ].map(({ title, lines }) => {
    const fresh = lines.filter((line) => !said.has(line));
    for (const line of fresh) said.add(line);
    return [`## ${title}`, "", ...fresh.map((line) => `- ${line}`), ""].join("\n");
  });
  mkdirSync(ARTIFACTS, { recursive: true });
  writeFileSync(
    join(ARTIFACTS, "words.md"),
    ["# All words that a person can meet", "", ...chapters].join("\n"),
  );
}

function mailLines(raw: string): string[] {
  const subject = /^subject: (.*(?:\r\n[ \t].*)*)/im.exec(raw)?.[1] ?? "";
  return [subject, ...readText(raw).split(/\r?\n/)].map((line) => line.trim()).filter((line) => line !== "");
}

/** A time outside a time element, which no script converts to local time. */
function fixedTimes({ name, html }: SitePage): string[] {
  const lines = wordsOf(html.replaceAll(/<time\b[\s\S]*?<\/time>/g, ""));
  return lines
    .filter((line) => /\d\d:\d\d UTC\b|\[object Object\]/.test(line))
    .map((line) => `${name}: ${line}`);
}

describe("each page", () => {
  test(
    "[SITE-01] has no layout shift, respects its CSP, is small, and is accessible and fits in light, dark and narrow",
    async () => {
      const weights: string[] = [];
      const tooHeavy: string[] = [];
      for (const state of states.filter(isVisited)) {
        await browser.visit(state.path, as(state.who, OF_A_STATE), async (visit) => {
          await untilQuiet(state, visit);
          const bytes = visit.transferredBytes() - FONT_BYTES;
          const most = maxBytesOf(state);
          weights.push(`| ${state.name} | ${bytes} | ${most} |`);
          if (bytes > most) tooHeavy.push(`${state.name}: ${bytes} of ${most} bytes`);
          expectSteady(state.name, await visit.steadiness());
          expectSteady(`${state.name}, half read,`, await visit.page.evaluate<HalfRead>(HALF_READ));
          // The long form looks at more pages, below.
          if (!isThorough) await visit.expectGoodInEveryLight(state.name);
        });
      }
      writeTable("weights.md", ["page", "bytes", "at most"], weights);
      expect(tooHeavy).toEqual([]);
    },
    ALL_BOUND_MS,
  );

  test.runIf(isThorough).each(["stranger", "newcomer", "customer"] as const)(
    "is accessible for a %s on desktop and phone, in light and dark, and not wider than the screen",
    async (who) => {
      const faults: string[] = [];
      for (const state of states.filter((one) => one.who === who && isLookedAt(one))) {
        const { html } = await openState(scene, state);
        for (const device of ["desk", "phone"] as const) {
          const options = { ...OF_A_STATE, phone: device === "phone", ...(state.form && { shown: html }) };
          const look = async ({ page, expectAccessible, screenshot }: Visit) => {
            for (const colorScheme of ["light", "dark"] as const) {
              await page.emulateMedia({ colorScheme });
              await expectAccessible(colorScheme === "dark" ? "colours" : undefined);
              await screenshot(`all/${state.name}-${device}-${colorScheme}`);
            }
            const over = (await widthOf({ page })) - (page.viewportSize()?.width ?? 0);
            if (over > 0) throw new Error(`it is ${over} pixels wider than the screen`);
          };
          await browser
            .visit(state.path, as(state.who, options), look)
            .catch((error: Error) => faults.push(`${state.name} on a ${device}: ${error.message}`));
        }
      }
      expect(faults).toEqual([]);
    },
    ALL_BOUND_MS,
  );

  test.runIf(isThorough)(
    "has no layout shift on a slow phone; its load time is printed, not asserted",
    async () => {
      const rows: string[] = [];
      const moved: string[] = [];
      for (const state of states.filter(isVisited)) {
        const options = { ...OF_A_STATE, phone: true, slow: true };
        await browser.visit(state.path, as(state.who, options), async (visit) => {
          await untilQuiet(state, visit);
          const { steadiness, transferredBytes } = visit;
          const { largestPaintMs, largest, shift } = await steadiness();
          const cells = [
            state.name,
            Math.round(largestPaintMs),
            largest,
            shift.toFixed(3),
            transferredBytes(),
          ];
          if (shift > MAX_SHIFT) moved.push(`${state.name}: ${shift}`);
          rows.push(`| ${cells.join(" | ")} |`);
        });
      }
      const table = writeTable("times.md", ["page", "largest paint, ms", "of", "moved", "bytes"], rows);
      console.log(table);
      expect(moved).toEqual([]);
    },
    ALL_BOUND_MS,
  );
});

/** The console message for a refused page. */
const OF_A_STATE: VisitOptions = { expectedErrors: /status of [45]\d\d/ };

/** Pictures below the first screen load late, so a weight is read when all have come. A page that follows a job always has open requests. */
async function untilQuiet({ name }: State, { page }: Visit): Promise<void> {
  if (!name.endsWith("-running")) await page.waitForLoadState("networkidle");
}

type HalfRead = Pick<Steadiness, "shift" | "shifted">;
/**
 * A browser on a slow line lays out a page of which it has read only the first part. Takes away what follows each large part of the first
 * screen, and says which of them moves when that comes: the browser's own measurement depends on when its first picture was due.
 */
const HALF_READ = `(() => {
  const [wide, high] = [document.documentElement.clientWidth, innerHeight];
  const main = document.querySelector("main");
  const seen = { shift: 0, shifted: [] };
  for (const part of main.querySelectorAll("*")) {
    const whole = part.getBoundingClientRect();
    const seenHigh = Math.min(whole.bottom, high) - Math.max(whole.top, 0);
    const share = (whole.width * seenHigh) / (wide * high);
    if (share < 0.05) continue;
    const taken = [];
    for (let at = part; at !== main; at = at.parentElement)
      for (let next = at.nextSibling; next; next = at.nextSibling) {
        taken.push([next, at.parentNode, at]);
        // A form with a button named "remove" has no such method.
        at.parentNode.removeChild(next);
      }
    const half = part.getBoundingClientRect();
    const moved = Math.max(Math.abs(half.left - whole.left), Math.abs(half.top - whole.top)) / Math.max(wide, high);
    for (const [node, parent, after] of taken.reverse()) parent.insertBefore(node, after.nextSibling);
    if (share * moved <= seen.shift) continue;
    seen.shift = share * moved;
    seen.shifted = [part.tagName.toLowerCase() + "." + part.className];
  }
  return seen;
})()`;

/** A phone zooms out of a wide page, so its own width is no measure. */
function widthOf({ page }: Pick<Visit, "page">): Promise<number> {
  return page.evaluate<number>("document.documentElement.scrollWidth");
}

function maxBytesOf({ name, path }: State): number {
  if (name === "job-audio" || /^\/generate\?model=atelier-voice&.*\bjob=/.test(path))
    return MAX_BYTES_OF_AUDIO;
  return WITH_WORKS.test(path) ? MAX_BYTES_OF_WORKS : MAX_BYTES;
}

function isVisited({ name, form }: State): boolean {
  if (form !== undefined || name.startsWith("error-")) return false;
  return isThorough || MAIN_PAGES.includes(name);
}

function isLookedAt({ name }: State): boolean {
  return !name.startsWith("error-") || LOOKED_AT_ERRORS.includes(name);
}

function writeTable(name: string, heads: readonly string[], rows: readonly string[]): string {
  const table = [`| ${heads.join(" | ")} |`, `| ${heads.map(() => "---").join(" | ")} |`, ...rows].join("\n");
  mkdirSync(ARTIFACTS, { recursive: true });
  writeFileSync(join(ARTIFACTS, name), table);
  return table;
}
