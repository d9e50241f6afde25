// The Generate page: by mouse, by keyboard, and without scripts.
import { beforeAll, describe, expect, test } from "vitest";
import { createLocalProvider } from "../../core/adapters/providers/local/provider.ts";
import { seedModels } from "../../core/studio/models/seed.ts";
import { fromMessages } from "../../proto/codec.ts";
import { type JobResource, jobSchema } from "../../proto/resources/job.ts";
import { createLog } from "../../runtime/log/log.ts";
import { addTestModel } from "../support/app.ts";
import { giveCredits } from "../support/credits.ts";
import { createScriptedProvider } from "../support/providers.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";
import { NARROW, openBrowser } from "./support/browser.ts";
import { as, sendForm } from "./support/forms.ts";
import { type Browser, callOf, signInAs } from "./support/sign-in.ts";

/** The maximum size of the page with a finished picture. */
const MOST_BYTES = 120_000;

let ada: Browser;

const local = sharedByTests(async () => createLocalProvider(createLog("error", "test")));
// It receives the cancellation.
const scripted = createScriptedProvider({ cancel: async () => {} });
const service = sharedByTests(() => startWholeService({ provider: scripted, providers: [local] }));
const browser = sharedByTests(() => openBrowser(service.url));
beforeAll(async () => {
  await seedModels(service.app);
  ada = await signInAs(service, "ada@example.com");
  const { accountId } = ada;
  await giveCredits(service.app, accountId, 1_000);
});

async function jobsOf(who: Browser): Promise<JobResource[]> {
  const request = { limit: 50, cursor: "", state: "", modality: "" };
  return fromMessages(jobSchema, (await service.core.jobs.ListJobs(request, callOf(who))).jobs);
}

describe("the Generate page", () => {
  test("starts from an example, repeats, reuses the seed, edits, and uses a result as input", async () => {
    await browser.visit("/generate?model=atelier-vector", as(ada), async (visit) => {
      const { page } = visit;
      const shown = async () => new URL(page.url()).searchParams.get("job") ?? "";
      const done = async (other: string) => {
        await waitFor("another job", async () => ![other, ""].includes(await shown()));
        await page.waitForSelector("#result .media img");
        return shown();
      };
      await visit.expectGoodInEveryLight("generate-start");
      await page.click(".example >> nth=1");
      await page.waitForURL("**/generate?example=*");
      expect(await page.inputValue("#prompt")).toBe("A windmill and five tulips in spring");
      await page.evaluate("window.sameDocument = true");
      await page.click("#generate");
      const first = await done("");
      expect(await page.locator(".history__work").count()).toBe(1);

      await page.click("#new-seed");
      const second = await done(first);
      expect(await page.evaluate("window.sameDocument")).toBe(true);
      const [newest, oldest] = await jobsOf(ada);
      expect(newest).toMatchObject({ job_id: second, prompt: oldest?.prompt });
      expect(newest?.params["seed"]).not.toBe(oldest?.params["seed"]);

      await page.click("#result >> text=Same seed");
      await page.waitForURL("**seed=same**");
      expect(await page.inputValue('[id="param.seed"]')).toBe(String(newest?.params["seed"]));
      await page.click("#dice");
      expect(await page.inputValue('[id="param.seed"]')).not.toBe(String(newest?.params["seed"]));

      await page.click("#result >> text=Tweak");
      await waitFor("the form without a seed", () => !page.url().includes("seed=same"));
      expect(await page.inputValue('[id="param.seed"]')).toBe("");
      expect(await page.inputValue("#prompt")).toBe(newest?.prompt);
      expect(await page.locator("#result .media img").count()).toBe(1);

      await page.click("[data-view=code]");
      await page.fill("#prompt", "never seen").catch(() => {});
      await page.click("text=JavaScript");
      expect(await page.textContent("#code-javascript")).toContain(`model: "atelier-vector"`);
      expect(await page.isVisible("#code-python")).toBe(false);
      await visit.expectGoodInEveryLight("generate-code");

      await page.click("#result >> text=Restyle");
      await page.waitForURL("**input=out_**");
      expect(await page.textContent(".model[aria-current] .model__name")).toBe("Atelier Restyle");
      expect(await page.textContent(".input-field__chosen")).toMatch(/^Chosen: A windmill/);
      expect(await page.locator("#result .media img").count()).toBe(1);
    });
  });

  test("stays small with a new picture next to earlier ones", async () => {
    const { job_id } = (await jobsOf(ada))[0] ?? { job_id: "" };
    await browser.visit(`/generate?job=${job_id}`, as(ada), async ({ page, transferredBytes }) => {
      await page.waitForLoadState("networkidle");
      expect(await page.locator("#result .media img").count()).toBe(1);
      expect(transferredBytes()).toBeLessThan(MOST_BYTES);
    });
  });

  test("updates the code sample while typing", async () => {
    await browser.visit("/generate?model=atelier-vector&show=code", as(ada), async ({ page }) => {
      expect(await page.isVisible("#prompt")).toBe(false);
      await page.click("[data-view=form]");
      await page.fill("#prompt", "it's a boat");
      await page.click("text=Wide");
      await page.click("#get-code");
      await waitFor("the code", async () => (await page.textContent("#code-curl"))?.includes("it's a boat"));
      expect(await page.textContent("#code-mcp")).toContain(`"width": 1344`);
    });
  });

  test("works by keyboard: Ctrl and Enter send, and the tab title shows the progress until it is stopped", async () => {
    await browser.visit("/generate?model=picture", as(ada), async ({ page }) => {
      await page.evaluate("document.querySelector('#prompt').focus()");
      await page.keyboard.type("a slow train");
      await page.keyboard.press("Control+Enter");
      await page.waitForURL("**/generate?job=job_*");
      const call = await waitFor("the provider to be called", () => scripted.calls.at(-1));
      await waitFor("progress in the tab's title", async () => {
        call.call.onProgress(0.42);
        return (await page.title()) === "42% · a slow train · Atelier";
      });
      expect(await page.getAttribute("#result progress", "value")).toBe("0.42");
      await page.evaluate(`
        window.told = [];
        window.Notification = class extends EventTarget {
          static permission = "default";
          static async requestPermission() { this.permission = "granted"; }
          constructor(title) { super(); window.told.push(title); }
        };
      `);
      await waitFor("the offer to tell", async () => {
        call.call.onProgress(0.5);
        return page.isVisible("#notify");
      });
      await page.click("#notify");
      expect(await page.isHidden("#notify")).toBe(true);
      // The answer to the press on Stop, which shows the job as it was then, arrives after the end of the job.
      await page.evaluate(`
        Object.defineProperty(document, "hidden", { value: true });
        const send = window.fetch;
        window.fetch = async (address, options) => {
          const answer = await send(address, options);
          if (options.method === "POST") await new Promise((resolve) => (window.arrive = resolve));
          return answer;
        };
      `);
      for (let press = 0; press < 60; press++) {
        if ((await page.evaluate("document.activeElement?.id")) === "stop") break;
        await page.keyboard.press("Tab");
      }
      await page.keyboard.press("Enter");
      await waitFor("the answer to the press", () => page.evaluate("window.arrive !== undefined"));
      await waitFor("the stop", async () => (await jobsOf(ada))[0]?.state !== "running");
      call.finish();
      await waitFor("the end in the tab's title", async () =>
        /^(Cancelled|Done) · a slow train/.test(await page.title()),
      );
      const end = await page.title();
      const followed = page.waitForResponse(/\/generate\/jobs\//);
      await page.evaluate("window.arrive()");
      await followed;
      await waitFor("the button to go", async () => (await page.locator("#stop").count()) === 0);
      await waitFor("the end again", async () => (await page.title()) === end);
      // The tab was in the background.
      const told = await page.evaluate<string[]>("window.told");
      expect([told.length, told[0]]).toEqual([1, await page.title()]);
    });
  });

  test.each([
    { width: 1024, height: 1024 },
    { width: 1024, height: 1024, count: 4 },
    { width: 1280, height: 720 },
    { width: 1024, height: 768 },
    { width: 768, height: 1024 },
    { width: 720, height: 1280 },
  ])("shows a job of %j whole, with Stop, in the window of a small laptop", async (params) => {
    const number = { type: "integer" };
    const properties = { width: number, height: number, count: number };
    const params_schema = { type: "object", properties, additionalProperties: false };
    const slug = `shape-${Object.values(params).join("-")}`;
    await addTestModel(service.app, { model_slug: slug, params_schema });
    const wanted = { model_slug: slug, modality: "image", prompt: slug, params_json: JSON.stringify(params) };
    const { job_id } = await waitFor("the new model", () => service.core.jobs.Generate(wanted, callOf(ada)));
    const call = await waitFor("the call", () =>
      scripted.calls.find(({ request }) => request.prompt === slug),
    );
    const { stop, frame } = await browser.visit(`/generate?job=${job_id}`, as(ada), async ({ page }) => {
      await page.setViewportSize({ width: 1280, height: 720 });
      const frame = await page.locator("#result .frame").first().boundingBox();
      return { frame, stop: await page.locator("#stop").boundingBox() };
    });
    call.finish();
    expect((stop?.y ?? Infinity) + (stop?.height ?? 0)).toBeLessThanOrEqual(720);
    // Nearly half of the window.
    if (!("count" in params)) expect(Math.max(frame?.height ?? 0, frame?.width ?? 0)).toBeGreaterThan(350);
  });

  test("has the price and its button between prompt and options in the window of a small laptop", async () => {
    await browser.visit("/generate?model=atelier-vector&prompt=a+fox", as(ada), async ({ page }) => {
      await page.setViewportSize({ width: 1280, height: 720 });
      await page.evaluate(`document.querySelector("#prompt").scrollIntoView({ block: "start" })`);
      const [prompt, bar, options] = await Promise.all(
        [".prompt-field", ".action-bar", ".generate__fields > .stack"].map(async (part) => {
          const box = await page.locator(part).first().boundingBox();
          return { top: box?.y ?? Infinity, end: (box?.y ?? 0) + (box?.height ?? Infinity) };
        }),
      );
      expect(bar?.top).toBeGreaterThanOrEqual(prompt?.end ?? Infinity);
      expect(options?.top).toBeGreaterThanOrEqual(bar?.end ?? Infinity);
    });
  });

  test.each([768, 720, 650])(
    "hides no file field under the action bar in a window of %i pixels",
    async (height) => {
      await browser.visit("/generate?model=atelier-restyle", as(ada), async ({ page }) => {
        await page.setViewportSize({ width: 1280, height });
        const field = await page.locator('input[type="file"]').boundingBox();
        const bar = await page.locator(".action-bar").boundingBox();
        expect(bar?.y).toBeGreaterThanOrEqual((field?.y ?? Infinity) + (field?.height ?? Infinity));
      });
    },
  );

  test("scrolls the result into view on a phone, without a layout shift when it arrives", async () => {
    await browser.visit("/generate?model=atelier-vector", as(ada, { width: NARROW }), async ({ page }) => {
      await page.fill("#prompt", "a wide river");
      await page.evaluate(
        `window.moved = 0; new PerformanceObserver((list) => {
          for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.moved += value;
        }).observe({ type: "layout-shift" })`,
      );
      await page.click("#generate");
      await waitFor("the result in sight", () =>
        page.evaluate<boolean>(
          "document.querySelector('#result').getBoundingClientRect().top < innerHeight / 2",
        ),
      );
      await page.waitForSelector("#result .media img");
      await waitFor("the picture", () =>
        page.evaluate<boolean>("document.querySelector('#result .media img').complete"),
      );
      expect(await page.evaluate("window.moved")).toBeLessThanOrEqual(0.02);
    });
  });

  test("shows an error at its field, without a layout shift", async () => {
    await browser.visit(
      "/generate?model=atelier-vector",
      as(ada, { expectedErrors: /400/ }),
      async ({ page }) => {
        await page.fill("#prompt", "boats");
        await page.fill('[id="param.seed"]', "1.5");
        // From the field next to it to what is below.
        const distance = () =>
          page.evaluate<number>(
            `document.querySelector("#get-code").getBoundingClientRect().top - document.querySelector('[id="param.count"]').getBoundingClientRect().top`,
          );
        const before = await distance();
        await page.evaluate("document.querySelector('form.generate__form').noValidate = true");
        await page.click("#generate");
        await page.waitForSelector('[id="param.seed-error"]');
        expect(Math.abs((await distance()) - before)).toBeLessThanOrEqual(1);
        expect(await page.getAttribute('[id="param.seed"]', "aria-invalid")).toBe("true");
        expect(await page.inputValue("#prompt")).toBe("boats");
      },
    );
  });

  test("marks the selection in forced colours", async () => {
    await browser.visit("/generate?model=atelier-vector", as(ada), async ({ page }) => {
      await page.emulateMedia({ forcedColors: "active" });
      for (const chosen of [".chip:has(:checked)", ".model[aria-current]", ".tabs a[aria-current]"])
        expect(
          await page.evaluate(
            `getComputedStyle(document.querySelector(${JSON.stringify(chosen)})).outlineStyle`,
          ),
        ).toBe("solid");
    });
  });
});

describe("the Generate page without scripts", () => {
  test("has examples, results, a new seed and code", async () => {
    const bob = await signInAs(service, "bob@example.com");
    const { accountId } = bob;
    await giveCredits(service.app, accountId, 100);
    await browser.visit("/generate?model=atelier-vector", as(bob, { scripts: false }), async ({ page }) => {
      await page.click(".example >> nth=0");
      await page.fill("#prompt", "A green rocket");
      await page.click("#get-code");
      expect(await page.textContent("#code-python")).toContain(`prompt="A green rocket"`);
      await page.click("[data-view=form]");
      expect(await page.inputValue("#prompt")).toBe("A green rocket");
      await page.click("#generate");
      await page.waitForSelector("#result .media img");
      const first = page.url();
      await page.click("#new-seed");
      await page.waitForSelector("#result .media img");
      expect(page.url()).not.toBe(first);
      expect(await page.locator(".history__work").count()).toBe(2);
    });
  });
});

describe("requests of the Generate page", () => {
  test("show visitors all models with examples, params and prices, and how to try them", async () => {
    const list = await service.call("/models", { headers: { accept: "text/html" } });
    expect(list.status).toBe(200);
    const paths = [...list.text.matchAll(/href="(\/models\/[\w-]+)"/g)].map(([, path = ""]) => path);
    expect(paths).toContain("/models/atelier-restyle");
    for (const path of paths) {
      const { status, text } = await service.call(path, { headers: { accept: "text/html" } });
      expect(status, path).toBe(200);
      expect(text).toContain(`href="/generate?model=${path.slice("/models/".length)}"`);
    }
    const { text } = await service.call("/models/atelier-canvas", { headers: { accept: "text/html" } });
    expect(text).toContain("4 credits per image");
    expect(text).toContain("/samples/lighthouse-at-dusk-medium.webp");
    expect(text).toMatch(/<meta property="og:image" content="[^"]+\/social\.png"/);
    expect(text).toContain('<meta property="og:title" content="Atelier Landscape"');
    expect(text).toContain("/generate?example=lighthouse-at-dusk#prompt");
    expect((await service.call("/models/none", { headers: { accept: "text/html" } })).status).toBe(404);
  });

  test("convert an aspect to width and height, and keep a custom size", async () => {
    const fields = {
      model: "atelier-vector",
      prompt: "Boats",
      "param.width": "128",
      "param.height": "64",
      shown_price: "2",
    };
    await sendForm(ada, "/generate", { ...fields, aspect: "1344x756" });
    expect((await jobsOf(ada))[0]?.params).toMatchObject({ width: 1344, height: 756 });
    await sendForm(ada, "/generate", { ...fields, aspect: "own" });
    expect((await jobsOf(ada))[0]?.params).toMatchObject({ width: 128, height: 64 });
  });

  test("fill the form from the URL's query", async () => {
    const { text } = await ada.call(
      "/generate?model=atelier-motion&prompt=A+%22train%22&param.duration_seconds=2",
    );
    expect(text).toContain("A &quot;train&quot;</textarea>");
    expect(text).toMatch(/id="price"[^>]*>16 credits</);
  });

  test('make one job when "new seed" is pressed twice', async () => {
    const [job] = (await jobsOf(ada)).filter(({ model_slug }) => model_slug === "atelier-vector");
    const press = {
      job: job?.job_id ?? "",
      idempotency_key: "again-1",
      shown_price: String(job?.credits_reserved),
    };
    const [first, second] = [
      await sendForm(ada, "/generate/again", press),
      await sendForm(ada, "/generate/again", press),
    ];
    expect(first.status).toBe(303);
    expect(second.headers.get("location")).toBe(first.headers.get("location"));
  });
});
