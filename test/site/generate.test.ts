// Generating on the website, from the form to the file, in a real browser with the embedded provider; and the form by plain requests.
import { createHash } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createLocalProvider } from "../../core/adapters/providers/local/provider.ts";
import { jobs } from "../../core/studio/jobs/store.ts";
import { seedModels } from "../../core/studio/models/seed.ts";
import { fromMessage } from "../../proto/codec.ts";
import { jobSchema } from "../../proto/resources/job.ts";
import { createLog } from "../../runtime/log/log.ts";
import { giveCredits } from "../support/credits.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";
import { openBrowser } from "./support/browser.ts";
import { as, sendForm } from "./support/forms.ts";
import { type Browser, callOf, signInAs } from "./support/sign-in.ts";

let ada: Browser;

const local = sharedByTests(async () => createLocalProvider(createLog("error", "test")));
const service = sharedByTests(() => startWholeService({ providers: [local] }));
const browser = sharedByTests(() => openBrowser(service.url));
beforeAll(async () => {
  await seedModels(service.app);
  // On the default plan, which does not include the API.
  ada = await signInAs(service, "ada@example.com");
  await grant(ada, 1_000);
});

const grant = (to: Browser, amount: number) => giveCredits(service.app, to.accountId, amount);
const ledgerOf = async (who: Browser): Promise<string[]> => {
  const { entries } = await service.core.credits.ListLedger({ limit: 100 }, callOf(who));
  return entries.map(({ kind, source }) => `${kind} ${source}`);
};

describe("a person on the Generate page", () => {
  test.each([
    {
      kind: "image",
      model: "atelier-vector",
      prompt: "A lighthouse over a calm sea",
      fields: { "param.width": "256", "param.height": "192" },
      // Browsers report a size for a picture with several sources that is not its own.
      loaded: "document.querySelector('.media img')?.naturalWidth > 0",
    },
    {
      kind: "audio",
      model: "atelier-voice",
      prompt: "Good morning",
      fields: {},
      loaded: "document.querySelector('.media audio')?.duration > 0.2",
    },
    {
      kind: "video",
      model: "atelier-loop",
      prompt: "Slow clouds",
      fields: { "param.width": "128", "param.height": "128", "param.duration_seconds": "1" },
      // Before play is pressed, the page shows only its poster.
      loaded:
        "((video) => video?.poster && ((video.preload = 'metadata'), video.videoWidth === 128))(document.querySelector('.media video'))",
    },
  ])("[SITE-07] makes $kind, sees it arrive without a reload, and pays the usual price", async (made) => {
    const grace = await signInAs(service, `grace-${made.kind}@example.com`);
    await grant(grace, 100);
    await browser.visit(`/generate?model=${made.model}`, as(grace), async (visit) => {
      const { page } = visit;
      await page.fill("#prompt", made.prompt);
      if ("param.width" in made.fields) await page.click("text=Own size");
      for (const [name, value] of Object.entries(made.fields)) await page.fill(`[id="${name}"]`, value);
      await page.locator("#price", { hasText: "credit" }).waitFor();
      await page.evaluate("window.sameDocument = true");
      await page.dblclick("#generate");
      await page.waitForURL("**/generate?job=job_*");
      await waitFor("the file in its element", () => page.evaluate<boolean>(made.loaded));
      expect(await page.evaluate("window.sameDocument")).toBe(true);
      expect(await page.textContent("#result-standing")).toMatch(
        /^Completed: 1 file, \d+ credits charged\.$/,
      );
      if (made.kind === "image") expect(await page.textContent(".media")).toContain("Shows lighthouse, sea.");
      expect(await page.title()).toBe(`Done · ${made.prompt} · Atelier`);
      await visit.expectGoodInEveryLight(`generate-made-${made.kind}`);
    });
    expect(await ledgerOf(grace)).toEqual(["debit app", "reserve app", "grant system"]);
  });

  test("sees price and length update while typing, as the service computes them", async () => {
    await browser.visit("/generate?model=atelier-motion", as(ada), async ({ page }) => {
      const price = (words: string) =>
        waitFor(words, async () => (await page.textContent("#price")) === words);
      expect(await page.textContent("#price")).toBe("32 credits");
      await page.fill('[id="param.duration_seconds"]', "2.5");
      await price("24 credits");
      await page.fill('[id="param.duration_seconds"]', "99");
      await price("Not known yet");
      await page.fill('[id="param.duration_seconds"]', "");
      await price("32 credits");
      expect(await page.isHidden("#price-short")).toBe(true);
      await page.fill("#prompt", "🌊".repeat(3));
      expect(await page.textContent("#prompt-count")).toBe("3 of 4,000");
      await page.fill("#prompt", "🌊".repeat(4001));
      expect(await page.textContent("#prompt-count")).toBe("1 too many of 4,000");
    });
  });

  test("sees what will be drawn before sending", async () => {
    await browser.visit("/generate?model=atelier-vector", as(ada), async (visit) => {
      const { page } = visit;
      expect(await page.textContent("#understood")).toBe("");
      await page.fill("#prompt", "Two foxes and a flugelhorn in the snow");
      const words = "Shows foxes, snow. Not drawn: flugelhorn.";
      await waitFor("what would be drawn", async () => (await page.textContent("#understood")) === words);
      await visit.expectAccessible();
      await visit.screenshot("generate-understood");
      await page.fill("#prompt", "A cinematic photo of a labrador, 4k");
      const honest = "Shows labrador (drawn as: dog). Not drawn: cinematic, photo, 4k.";
      await waitFor("the style to be named", async () => (await page.textContent("#understood")) === honest);
    });
    await browser.visit("/generate?model=atelier-voice", as(ada), async ({ page }) => {
      const asked = page.waitForResponse((answer) => answer.url().endsWith("/generate/preview"));
      await page.fill("#prompt", "foxes");
      await asked;
      expect(await page.textContent("#understood")).toBe("");
    });
  });

  test("[DRAW-02] sees before and after the press that Sketch knows no word, and pays nothing", async () => {
    const poor = await signInAs(service, "unknown-words@example.com");
    await grant(poor, 10);
    const refused = as(poor, { expectedErrors: /400/ });
    await browser.visit("/generate?model=atelier-vector", refused, async (visit) => {
      const { page } = visit;
      await page.fill("#prompt", "Qwertz asdf");
      const words =
        "This names nothing that Sketch can draw; name a thing or a place, such as a fox by a lake, or use another model.";
      await waitFor("the reason", async () => (await page.textContent("#understood")) === words);
      expect(await page.textContent("#price")).toBe("2 credits");
      await page.click("#generate");
      await page.waitForSelector("#refusal [role=alert]");
      expect(await page.textContent("#prompt-error")).toBe(words);
      expect(await page.inputValue("#prompt")).toBe("Qwertz asdf");
      await visit.expectAccessible();
      await visit.screenshot("generate-unknown-words");
    });
    expect(await ledgerOf(poor)).toEqual(["grant system"]);
  });

  test("a visitor sees what will be drawn before signing in", async () => {
    await browser.visit("/generate?model=atelier-vector&prompt=A+fox+in+velvet", {}, async ({ page }) => {
      expect(await page.textContent("#understood")).toBe("Shows fox. Not drawn: velvet.");
      await page.fill("#prompt", "A fox");
      await waitFor("the words", async () => (await page.textContent("#understood")) === "Shows fox.");
    });
    await browser.visit("/generate?model=atelier-vector", { scripts: false }, async ({ page }) => {
      await page.fill("#prompt", "A fox in velvet");
      await page.fill('[name="param.count"]', "2");
      await page.click('[formaction="/generate/check"]');
      expect(await page.textContent("#understood")).toBe("Shows fox. Not drawn: velvet.");
      expect(await page.textContent("#price")).toBe("4 credits");
      expect(await page.inputValue("#prompt")).toBe("A fox in velvet");
      await page.click("#get-code");
      expect(await page.locator("#code pre").first().textContent()).toContain("A fox in velvet");
    });
  });

  test("a prompt that names the kind of another built-in model leads to that model", async () => {
    const offer = "#understood a";
    await browser.visit("/generate?model=atelier-canvas&param.width=512", as(ada), async ({ page }) => {
      await page.fill("#prompt", "Two jazz posters");
      await page.locator(offer, { hasText: "Draw it as a poster" }).click();
      await page.waitForURL("**model=atelier-poster**");
      expect(await page.inputValue("#prompt")).toBe("Two jazz posters");
      expect(await page.inputValue('[id="param.width"]')).toBe("512");
      expect(await page.locator(offer).count()).toBe(0);
    });
    const offered = async (query: string) => {
      const { text } = await ada.call(`/generate?${query}`);
      return /id="understood"[^>]*>[^<]*<a href="([^"]*)"/.exec(text)?.[1]?.replaceAll("&amp;", "&");
    };
    expect(await offered("model=atelier-vector&prompt=gradient")).toContain("model=atelier-gradient&");
    expect(await offered("model=atelier-loop&prompt=a+pattern")).toMatch(
      /model=atelier-loop&.*param\.picture=pattern/,
    );
    for (const none of [
      "model=atelier-canvas&prompt=a+fox",
      "model=atelier-poster&prompt=a+gradient+poster",
      "model=atelier-restyle&prompt=as+a+poster",
      "model=atelier-voice&prompt=a+poster",
    ])
      expect([none, await offered(none)]).toEqual([none, undefined]);
  });

  test("keeps the prompt when switching models, until the job is made", async () => {
    await browser.visit("/generate", as(ada), async ({ page }) => {
      await page.fill("#prompt", "Harbour at dawn");
      await page.click(".tabs >> text=Audio");
      await page.waitForSelector("text=What to say or play");
      expect(await page.inputValue("#prompt")).toBe("Harbour at dawn");
      await page.click("#generate");
      await page.waitForURL("**/generate?job=job_*");
      await page.goto("/generate");
      expect(await page.inputValue("#prompt")).toBe("");
    });
  });

  test("keeps page, prompt and Idempotency-Key while offline, and pays once after a second press", async () => {
    const dora = await signInAs(service, "dora@example.com");
    await grant(dora, 10);
    const shown = as(dora, { expectedErrors: /ERR_|Failed to load/ });
    await browser.visit("/generate?model=atelier-vector", shown, async ({ page }) => {
      await page.fill("#prompt", "Two boats");
      const key = await page.inputValue("#idempotency-key");
      // The first request arrives, and its response is lost.
      await page.route("**/generate", async (route) => {
        await route.fetch();
        await route.abort("internetdisconnected");
      });
      await page.click("#generate");
      await page.waitForSelector("#refusal [role=alert]");
      expect(await page.textContent("#refusal")).toContain("Your prompt is kept");
      expect([await page.inputValue("#prompt"), await page.inputValue("#idempotency-key")]).toEqual([
        "Two boats",
        key,
      ]);
      await page.unroute("**/generate");
      await page.click("#generate");
      await page.waitForURL("**/generate?job=job_*");
    });
    expect((await ledgerOf(dora)).filter((line) => line.startsWith("reserve"))).toHaveLength(1);
  });

  test("is informed before and after pressing that credits are too few", async () => {
    const poor = await signInAs(service, "poor@example.com");
    await grant(poor, 3);
    await browser.visit(
      "/generate?model=atelier-vector",
      as(poor, { expectedErrors: /402/ }),
      async (visit) => {
        const { page } = visit;
        expect(await page.isHidden("#price-short")).toBe(true);
        await page.fill('[id="param.count"]', "2");
        await page.waitForSelector("#price-short", { state: "visible" });
        await page.fill("#prompt", "Two boats");
        await page.click("#generate");
        await page.waitForSelector("[role=alert]");
        expect(await page.textContent("[role=alert]")).toContain("costs 4 credits and the account has 3");
        expect(await page.inputValue("#prompt")).toBe("Two boats");
        expect(await page.inputValue('[id="param.count"]')).toBe("2");
        await visit.expectAccessible();
      },
    );
    expect(await ledgerOf(poor)).toEqual(["grant system"]);
  });

  test("needs no script", async () => {
    await browser.visit("/generate?model=atelier-vector", as(ada, { scripts: false }), async ({ page }) => {
      await page.fill("#prompt", "A vintage poster of a quiet room");
      await page.click("[name=show]");
      await page.waitForSelector("#understood:not(:empty)");
      expect(await page.textContent("#understood")).toBe(
        "Shows room. Not drawn: vintage, poster. Draw it as a poster",
      );
      await page.click("#understood a");
      expect(await page.textContent(".model[aria-current] .model__name")).toBe("Atelier Poster");
      expect(await page.inputValue("#prompt")).toBe("A vintage poster of a quiet room");
      await page.goto("/generate?model=atelier-vector");
      await page.fill("#prompt", "A quiet room");
      await page.click("#generate");
      // The page reloads until the file is ready.
      await page.waitForSelector(".media img");
      expect(await page.textContent("#result-standing")).toBe("Completed: 1 file, 2 credits charged.");
      expect(await page.inputValue("#prompt")).toBe("A quiet room");
    });
  });
});

describe("a price that has changed since the page showed it", () => {
  const setPrice = async (credits: number) => {
    const models = service.app.mongo.db.collection<{ _id: string }>("models");
    await models.updateOne({ _id: "atelier-vector" }, { $set: { credits } });
    await waitFor(
      "the price",
      async () => (await service.app.models()).get("atelier-vector")?.credits === credits,
    );
  };
  beforeEach(() => setPrice(2));
  afterAll(() => setPrice(2));

  test.each([true, false])(
    "[SITE-48] is shown before anything is made, with the form as it was (scripts: %s)",
    async (scripts) => {
      const max = await signInAs(service, `price-${scripts}@example.com`);
      await grant(max, 100);
      const reserved = async () => (await ledgerOf(max)).filter((line) => line === "reserve app").length;
      const shown = as(max, { scripts, expectedErrors: /409/ });
      await browser.visit("/generate?model=atelier-vector", shown, async (visit) => {
        const { page } = visit;
        const refused = async (words: string) => {
          await page.locator("#refusal [role=alert]", { hasText: words }).waitFor();
          await page.locator("#price", { hasText: words.replace(/.* (\d+ credits).*/, "$1") }).waitFor();
          expect(await page.inputValue("#prompt")).toBe("Two boats");
        };
        const priced = scripts && page.waitForResponse((answer) => answer.url().endsWith("/preview"));
        await page.fill("#prompt", "Two boats");
        await priced;
        await setPrice(3);
        await page.click("#generate");
        await refused("The price is now 3 credits.");
        expect(await reserved()).toBe(0);
        if (scripts) await visit.expectAccessible();
        await page.click("#generate");
        await page.waitForURL("**/generate?job=job_*");
        await page.waitForSelector("#new-seed", { timeout: 90_000 });
        expect(await reserved()).toBe(1);
        // The same again.
        await setPrice(4);
        await page.click("#new-seed");
        await refused("The price is now 4 credits.");
        expect(await reserved()).toBe(1);
        await page.click("#new-seed");
        await waitFor("another job", async () => (await reserved()) === 2);
      });
    },
  );

  test("[SITE-48] is paid where it is lower; where the page showed none, the press shows it", async () => {
    const press = (shown_price: string) =>
      sendForm(ada, "/generate", { model: "atelier-vector", prompt: "A boat", shown_price });
    expect((await press("3")).status).toBe(303);
    const unknown = await press("");
    expect(unknown.status).toBe(409);
    expect(unknown.text).toContain("The price is 2 credits.");
    expect(unknown.text).toContain('name="shown_price" value="2"');
    await setPrice(0);
    expect((await press("0")).status).toBe(303);
    await setPrice(1);
    expect((await press("0")).text).toContain("The price is now 1 credit.");
  });
});

describe("the Generate form", () => {
  const fields = {
    model: "atelier-vector",
    prompt: "Boats",
    "param.width": "128",
    "param.height": "128",
    shown_price: "2",
  };

  test("[SITE-08] sent twice makes one job", async () => {
    const once = { ...fields, idempotency_key: "press-1" };
    const [first, second] = await Promise.all([
      sendForm(ada, "/generate", once),
      sendForm(ada, "/generate", once),
    ]);
    expect(first.status).toBe(303);
    expect(first.headers.get("location")).toMatch(/^\/generate\?job=job_\w+#result$/);
    expect(second.headers.get("location")).toBe(first.headers.get("location"));
  });

  test("sent again with another prompt reports it, and makes a job at the next press", async () => {
    const sent = { ...fields, idempotency_key: "press-2" };
    const first = await sendForm(ada, "/generate", sent);
    const other = await sendForm(ada, "/generate", { ...sent, prompt: "Trains" });
    expect(other.status).toBe(422);
    expect(other.text).toContain("This form has made a job already.");
    const key = /name="idempotency_key" value="([^"]+)"/.exec(other.text)?.[1] ?? "";
    const next = await sendForm(ada, "/generate", { ...sent, prompt: "Trains", idempotency_key: key });
    expect(next.status).toBe(303);
    expect(next.headers.get("location")).not.toBe(first.headers.get("location"));
  });

  test("[SEED-05] makes another work of the same prompt each time, shows its seed, and repeats a work by it", async () => {
    const make = async (more: Record<string, string> = {}) => {
      const { headers } = await sendForm(ada, "/generate", { ...fields, prompt: "A red boat", ...more });
      const [job_id = ""] = /job_\w+/.exec(headers.get("location") ?? "") ?? [];
      const job = fromMessage(
        jobSchema,
        await service.core.jobs.GetJob({ job_id, wait_seconds: 60 }, callOf(ada)),
      );
      expect(job.state).toBe("completed");
      // The files name their jobs, so only their pixels are equal.
      const file = await (await fetch(job.outputs[0]?.url ?? "")).arrayBuffer();
      const pixels = createHash("sha256")
        .update(await sharp(file).raw().toBuffer())
        .digest("hex");
      return { job_id, seed: String(job.params["seed"]), pixels };
    };
    const seedField = async (address: string) => {
      const [field = "no field"] =
        /<input[^>]*name="param.seed"[^>]*>/.exec((await ada.call(address)).text) ?? [];
      return field === "no field" ? field : (/ value="([^"]*)"/.exec(field)?.[1] ?? "");
    };
    const first = await make();
    const { text } = await ada.call(`/jobs/${first.job_id}`);
    expect(text).toMatch(new RegExp(`<dt>Seed</dt>\\s*<dd>${first.seed}</dd>`));
    const again = /href="([^"]+)"[^>]*>\s*Generate again/.exec(text)?.[1] ?? "";
    const same = (/href="([^"]+)"[^>]*>\s*Same seed/.exec(text)?.[1] ?? "").replace("&amp;", "&");
    expect(await seedField(again)).toBe("");
    expect(await seedField(same)).toBe(first.seed);
    const other = await make();
    expect(other.seed).not.toBe(first.seed);
    expect(other.pixels).not.toBe(first.pixels);
    expect(await make({ "param.seed": first.seed })).toMatchObject({
      seed: first.seed,
      pixels: first.pixels,
    });
  });

  test("shows errors at their fields, and keeps the input", async () => {
    const { status, text } = await sendForm(ada, "/generate", {
      ...fields,
      prompt: " ",
      "param.width": "63",
      "param.height": "tall",
      callback_url: "http://10.0.0.1/",
    });
    expect(status).toBe(400);
    expect(text).toContain('id="prompt-error">This must not be empty.');

    const params = await sendForm(ada, "/generate", {
      ...fields,
      "param.width": "63",
      "param.height": "tall",
    });
    expect(params.text).toContain(
      'id="param.width-error">This must be at least 64. This must be a multiple of 2.',
    );
    expect(params.text).toContain('id="param.height-error">This must be an integer.');
    expect(params.text).toMatch(/<textarea[^>]*>\s*Boats<\/textarea>/);
    expect(params.text).toContain('value="tall"');

    const callback = await sendForm(ada, "/generate", { ...fields, callback_url: "http://10.0.0.1/" });
    expect(callback.status).toBe(422);
    expect(callback.text).toContain('id="callback_url-error">This cannot be called from here.');
    expect(callback.text).toContain('<details class="more" open');
  });

  test("takes when to give up and how long to keep the files, and shows a wrong number at its field", async () => {
    const sent = await sendForm(ada, "/generate", { ...fields, expires_in: "600", keep_days: "2" });
    expect(sent.status).toBe(303);
    const jobId = new URL(sent.headers.get("location") ?? "", service.url).searchParams.get("job") ?? "";
    expect(await jobs(service.app.mongo.db).findOne({ _id: jobId })).toMatchObject({
      expires_in: 600,
      keep_days: 2,
    });
    const wrong = await sendForm(ada, "/generate", { ...fields, expires_in: "", keep_days: "two" });
    expect([wrong.status, wrong.text.includes('value="two"')]).toEqual([400, true]);
    expect(wrong.text).toMatch(/id="keep_days-error">This must be/);
  });

  test("counts a line break as one character", async () => {
    const prompt = `fox ${"a".repeat(3_994)}\r\nb`;
    expect((await sendForm(ada, "/generate", { ...fields, prompt })).status).toBe(303);
    expect((await sendForm(ada, "/generate", { ...fields, prompt: `${prompt}c` })).status).toBe(400);
  });

  test("is shown to a visitor without any jobs", async () => {
    const asVisitor = (path: string) => service.call(path, { headers: { accept: "text/html" } });
    expect((await asVisitor("/generate")).status).toBe(200);
    const stranger = await asVisitor("/generate?job=job_1");
    expect(stranger.status).toBe(303);
    expect(stranger.headers.get("location")).toBe("/sign-in?next=%2Fgenerate%3Fjob%3Djob_1");
  });

  test("names a missing model, and offers the others", async () => {
    const { status, text } = await ada.call("/generate?model=atelier-gone");
    expect(status).toBe(404);
    expect(text).toContain("This model does not exist, or is no longer offered.");
    expect(text).toContain("Atelier Landscape");
  });
});
