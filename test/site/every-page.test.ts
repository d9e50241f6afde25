// What holds for every page of the website: its links lead somewhere, it is light and stands still. The long form,
// `npm run browse`, looks at each of them at a desk and on a phone, in light and dark, and takes times on a slow phone.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { browserOf, followLinks, openState, type State, statesOf, type Who } from "./support/all-pages.ts";
import {
  expectSteady,
  MAX_SHIFT,
  openBrowser,
  type SiteBrowser,
  type Visit,
  type VisitOptions,
} from "./support/browser.ts";
import { cookiesOf } from "./support/forms.ts";
import { type Scene, setScene } from "./support/set-scene.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** How many are opened in the browser. */
    pages: "main" | "all";
  }
}

const isThorough = inject("pages") === "all";
const ARTIFACTS = fileURLToPath(new URL("../../artifacts/site", import.meta.url));
const SCENE_BOUND_MS = 240_000;
const MIN_PAGES = 10;
const ALL_BOUND_MS = 30 * 60_000;

/** Transferred for a first visit, everything that the page loads. */
const MAX_BYTES = 60_000;
const MORE_BYTES: Readonly<Record<string, number>> = {
  "job-image": 120_000,
};
/** Looked at with every run of the tests. */
const MAIN_PAGES = [
  "start",
  "products",
  "product",
  "generate-new",
  "job-image",
  "jobs",
  "credits",
  "settings",
];
const LOOKED_AT_ERRORS = ["error-internal", "error-rate_limited", "error-request_forged"];

let scene: Scene;
let browser: SiteBrowser;
let states: State[];

beforeAll(async () => {
  scene = await setScene();
  states = statesOf(scene);
  browser = await openBrowser(scene.service.url);
}, SCENE_BOUND_MS);
afterAll(async () => {
  await browser.close();
  await scene.close();
});

const as = (who: Who, options: VisitOptions = {}): VisitOptions => {
  const person = browserOf(scene, who);
  return { ...options, ...(person && { cookies: cookiesOf(person, scene.service.url) }) };
};

describe("of all pages", () => {
  test.each(["stranger", "newcomer", "customer"] as const)("no link leads a %s nowhere", async (who) => {
    const followed = await followLinks(scene, who, "/");
    expect(followed.pages.length).toBeGreaterThan(MIN_PAGES);
    expect(followed.dead).toEqual([]);
  });
});

describe("a page", () => {
  test(
    "is light, stands still while it loads, and keeps to its policy",
    async () => {
      const weights: string[] = [];
      const tooHeavy: string[] = [];
      for (const state of states.filter(isVisited)) {
        await browser.visit(state.path, as(state.who, OF_A_STATE), async (visit) => {
          const bytes = visit.transferredBytes();
          const most = MORE_BYTES[state.name] ?? MAX_BYTES;
          weights.push(`| ${state.name} | ${bytes} | ${most} |`);
          if (bytes > most) tooHeavy.push(`${state.name}: ${bytes} of ${most} bytes`);
          expectSteady(state.name, await visit.steadiness());
        });
      }
      writeTable("weights.md", ["page", "bytes", "at most"], weights);
      expect(tooHeavy).toEqual([]);
    },
    ALL_BOUND_MS,
  );

  test.runIf(isThorough)(
    "can be used by everyone at a desk and on a phone, in light and dark, and is not wider than either",
    async () => {
      const faults: string[] = [];
      for (const state of states.filter(isLookedAt)) {
        const { html } = await openState(scene, state);
        for (const device of ["desk", "phone"] as const) {
          const options = { ...OF_A_STATE, phone: device === "phone", ...(state.form && { shown: html }) };
          const look = async ({ page, expectAccessible, screenshot }: Visit) => {
            for (const colorScheme of ["light", "dark"] as const) {
              await page.emulateMedia({ colorScheme });
              await expectAccessible();
              await screenshot(`all/${state.name}-${device}-${colorScheme}`);
            }
            const over = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
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
    "stands still on a slow phone, too; how soon it is there is told, and not judged",
    async () => {
      const rows: string[] = [];
      const moved: string[] = [];
      for (const state of states.filter(isVisited)) {
        const options = { ...OF_A_STATE, phone: true, slow: true };
        await browser.visit(
          state.path,
          as(state.who, options),
          async ({ page, steadiness, transferredBytes }) => {
            if (state.name !== "job-running") await page.waitForLoadState("networkidle");
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
          },
        );
      }
      const table = writeTable("times.md", ["page", "largest paint, ms", "of", "moved", "bytes"], rows);
      console.log(table);
      expect(moved).toEqual([]);
    },
    ALL_BOUND_MS,
  );
});

/** What the console says of a page that is a refusal. */
const OF_A_STATE: VisitOptions = { expectedErrors: /status of [45]\d\d/ };

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
