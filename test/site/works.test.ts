// The gallery of works: live pictures, selection, download as an archive, deletion.
import { unzipSync } from "fflate";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { ProviderError, type ProviderOutput } from "../../core/adapters/providers/provider.ts";
import { setPlan } from "../../core/identity/accounts/set-terms.ts";
import { renderToStaticMarkup } from "../../gateway/site/design/markup.js";
import type { Person } from "../../gateway/site/session/current-person.ts";
import { jobsPage } from "../../gateway/site/studio/jobs-page.ts";
import { giveCredits } from "../support/credits.ts";
import { createScriptedProvider } from "../support/providers.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";
import { openBrowser } from "./support/browser.ts";
import { as, sendForm } from "./support/forms.ts";
import { type Browser, callOf, makeKey, signInAs } from "./support/sign-in.ts";

let ada: Browser;

const provider = createScriptedProvider();
const service = sharedByTests(() => startWholeService({ provider }));
const browser = sharedByTests(() => openBrowser(service.url));
beforeAll(async () => {
  ada = await signIn("ada@example.com");
});

async function signIn(email: string): Promise<Browser> {
  const who = await signInAs(service, email);
  const { accountId } = who;
  await giveCredits(service.app, accountId, 1_000);
  return who;
}

async function begin(who: Browser, prompt: string, model = "picture"): Promise<string> {
  const modality = { picture: "image", clip: "video", tune: "audio" }[model] ?? "";
  const request = { modality, model_slug: model, prompt, params_json: "{}" };
  return (await service.core.jobs.Generate(request, callOf(who))).job_id;
}

async function made(
  who: Browser,
  prompt: string,
  outputs: readonly ProviderOutput[] = [file(prompt)],
  model?: string,
): Promise<string> {
  const jobId = await begin(who, prompt, model);
  (await provider.callFor(prompt)).finish(outputs);
  await service.core.jobs.GetJob({ job_id: jobId, wait_seconds: 20 }, callOf(who));
  return jobId;
}

const file = (text: string, mimeType = "image/png"): ProviderOutput => ({
  bytes: new TextEncoder().encode(text),
  mimeType,
});

async function picture(hue: number, width = 640, height = 480): Promise<ProviderOutput> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="hsl(${hue} 70% 75%)"/><stop offset="1" stop-color="hsl(${hue + 40} 60% 35%)"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#g)"/><circle cx="65%" cy="35%" r="12%" fill="hsl(${hue + 180} 80% 85%)"/></svg>`;
  return { bytes: await sharp(Buffer.from(svg)).png().toBuffer(), mimeType: "image/png", width, height };
}

/** The form as a browser sends it, with a checkbox for each. */
const choose = (who: Browser, path: string, jobs: readonly string[], more = "") =>
  who.call(path, {
    method: "POST",
    body: `csrf_token=${who.csrfToken}${jobs.map((id) => `&job=${id}`).join("")}${more}`,
    headers: { "content-type": "application/x-www-form-urlencoded", "x-csrf-token": null },
  });

async function archive(who: Browser, jobs: readonly string[]): Promise<Record<string, string>> {
  const response = await fetch(`${service.url}/jobs/download`, {
    method: "POST",
    body: new URLSearchParams([
      ["csrf_token", who.csrfToken],
      ...jobs.map((id): [string, string] => ["job", id]),
    ]),
    headers: { cookie: who.cookie, "sec-fetch-site": "same-origin" },
    redirect: "manual",
  });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/zip"]);
  expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="[a-z0-9-]+\.zip"$/);
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  return Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]),
  );
}

describe("the gallery of works", () => {
  test("[SITE-23] shows pictures, and updates running ones; selections stay", async () => {
    const kit = await signIn("kit@example.com");
    await made(kit, "A lighthouse at dawn, with gulls over a very long pier", [await picture(20)]);
    await made(kit, "A forest", [await picture(120), await picture(150)]);
    await made(kit, "A tall tower", [await picture(220, 300, 600)]);
    await made(
      kit,
      "Waves rolling in",
      [{ ...file("x", "video/mp4"), poster: (await picture(200)).bytes }],
      "clip",
    );
    await made(kit, "Good morning", [file("x", "audio/wav")], "tune");
    const failing = await begin(kit, "Nothing good");
    (await provider.callFor("Nothing good")).fail(new ProviderError("provider_refused", "No."));
    await service.core.jobs.GetJob({ job_id: failing, wait_seconds: 20 }, callOf(kit));
    const live = await begin(kit, "A boat that comes");
    const call = await provider.callFor("A boat that comes");
    await begin(kit, "Waits behind it");
    await browser.visit("/jobs", as(kit), async (visit) => {
      const { page } = visit;
      const card = page.locator(`#work-${live}`);
      expect(await card.textContent()).toContain("Running");
      expect(await page.isDisabled("#works-delete")).toBe(true);
      await card.locator("input").check();
      await page.locator(".work input").nth(3).check();
      expect(await page.textContent("#works-chosen")).toBe("2 selected");
      await visit.expectGoodInEveryLight("jobs-gallery");
      call.finish([await picture(280)]);
      await card.locator("img").waitFor();
      expect(await card.locator("input").isChecked()).toBe(true);
      // The next one started meanwhile, and is followed in turn.
      const next = await provider.callFor("Waits behind it");
      await page.locator(".work", { hasText: "Running" }).waitFor();
      next.finish([await picture(320)]);
      await waitFor(
        "the second",
        async () => (await page.locator(".work", { hasText: "Running" }).count()) === 0,
      );
      expect(await page.textContent("#works-chosen")).toBe("2 selected");
      await page.click("#works-all");
      expect(await page.textContent("#works-chosen")).toBe("8 selected");
    });
    // The same in the table.
    const again = await begin(kit, "One more");
    await browser.visit("/jobs?view=table", as(kit), async ({ page }) => {
      (await provider.callFor("One more")).finish([await picture(0)]);
      await page.locator("tr", { has: page.locator(`#work-${again}`), hasText: "Completed" }).waitFor();
    });
  });

  test("[SITE-24] is a table when that was chosen last in this browser, without a script", async () => {
    await browser.visit("/jobs", as(ada, { scripts: false }), async ({ page }) => {
      await made(ada, "any");
      await page.reload();
      expect(await page.locator(".works").count()).toBe(1);
      await page.click("text=Table");
      expect(await page.locator(".works").count()).toBe(0);
      await page.goto("/jobs");
      expect(await page.locator("tbody tr").count()).toBe(1);
      await page.click("text=Gallery");
      await page.goto("/jobs");
      expect(await page.locator(".works").count()).toBe(1);
    });
  });

  test("[SITE-23] draws a sound, with its length, wherever works are pictures", async () => {
    const zoe = await signIn("zoe@example.com");
    const sound = { ...file("a song", "audio/wav"), durationSeconds: 64.2 };
    const song = await made(zoe, "a song", [sound], "tune");
    await made(zoe, "another song", [{ ...sound, ...file("another", "audio/wav") }], "tune");
    for (const path of ["/jobs?view=gallery", "/jobs?view=table", "/generate", "/credits"]) {
      const { text } = await zoe.call(path);
      const bars = [...text.matchAll(/<svg class="sound[ "].*?<path d="([^"]+)"/gs)].map(
        ([, drawn]) => drawn,
      );
      expect([path, bars.length, new Set(bars).size]).toEqual([path, 2, 2]);
    }
    expect((await zoe.call(`/jobs/${song}`)).text).toMatch(/<svg class="sound[^]*<audio/);
    expect((await zoe.call("/jobs?view=gallery")).text).toMatch(/<\/svg>1:04<\/span>/);
  });

  test("[JOB-44] shows how far back a search looked, and links older ones", () => {
    const none = { state: "", modality: "", model: "", since: "", until: "", metadata: "", favourites: "" };
    const filter = { search: "pier", ...none };
    const person = { csrfToken: "t" } as Person;
    const page = jobsPage({
      person,
      jobs: [],
      starred: new Set(),
      view: "gallery",
      filter,
      models: [],
      modelName: (slug) => slug,
      cursor: "",
      nextCursor: "older",
      lookedBackTo: "2026-03-01T08:00:00.000Z",
      now: new Date("2026-05-01"),
    });
    const text = renderToStaticMarkup(page.body);
    expect(text).toMatch(/None of your jobs since <time[^>]*>1 March 2026<\/time> is like that/);
    expect(text).toContain('href="/jobs?search=pier&amp;cursor=older&amp;view=gallery"');
  });
});

test("[SITE-28] a star makes a work a favourite, also without scripts, until its file is gone", async () => {
  const fay = await signIn("fay@example.com");
  await setPlan(service.app, fay.accountId, "pro");
  const [one, two] = [await made(fay, "first choice"), await made(fay, "second choice")];
  await made(fay, "no choice");
  const favourites = async () =>
    [...(await fay.call("/jobs?favourites=1&view=gallery")).text.matchAll(/id="work-(job_\w+)"/g)].map(
      ([, id]) => id,
    );
  await browser.visit("/jobs", as(fay, { scripts: false }), async ({ page }) => {
    await page.click(`#work-${one} .star`);
    const { pathname, hash } = new URL(page.url());
    expect([pathname, hash]).toEqual(["/jobs", `#work-${one}`]);
    expect(await page.getAttribute(`#work-${one} .star`, "aria-pressed")).toBe("true");
    await page.check("[name=favourites]");
    await page.click("text=Show");
    expect(await page.locator(".work__prompt").allTextContents()).toEqual(["first choice"]);
  });
  await browser.visit(`/jobs/${two}`, as(fay), async (visit) => {
    await visit.page.click(".star");
    await visit.page.waitForSelector('.star[aria-pressed="true"]');
    await visit.expectGoodInEveryLight("job-favourite");
  });
  expect(await favourites()).toEqual([two, one]);
  await sendForm(fay, `/jobs/${two}/delete-files`);
  expect(await favourites()).toEqual([one]);

  // No program, other account or shared page sees it; the owner's export does.
  const { secret } = await makeKey(service, fay);
  for (const path of [`/api/jobs/${one}`, "/api/jobs"])
    expect((await service.call(path, { key: secret })).text).not.toContain("starred");
  const eve = await signIn("eve@example.com");
  expect((await sendForm(eve, `/jobs/${one}/star`)).status).toBe(404);
  let exported = "";
  for await (const { json } of service.core.accounts.ExportAccount({}, callOf(fay)))
    exported += json.toString();
  expect(exported.match(/"starred":true/g)).toHaveLength(2);

  // Nothing moves under the pointer: the work leaves the list with the next visit.
  await browser.visit("/jobs?favourites=1&view=table", as(fay), async ({ page }) => {
    await page.click(".star");
    await page.waitForSelector('.star[aria-pressed="false"]');
    expect(await page.locator("tbody tr").count()).toBe(1);
    await page.reload();
    expect(await page.textContent(".empty")).toContain("No favourite with a file");
  });
});

describe("the files of several works", () => {
  test("[SITE-25] are downloaded as one archive, each named by its prompt, and never of another person", async () => {
    const one = await made(ada, "A Lighthouse at dawn", [file("one"), file("two", "image/jpeg")]);
    const two = await made(ada, "a lighthouse, at dawn!", [file("three")]);
    const three = await made(ada, "夜明けの灯台", [file("four", "audio/wav")]);
    expect(await archive(ada, [three, one, two, one])).toEqual({
      "夜明けの灯台-1.wav": "four",
      "a-lighthouse-at-dawn-1.png": "three",
      "a-lighthouse-at-dawn-2.png": "one",
      "a-lighthouse-at-dawn-3.jpg": "two",
    });
    const eve = await signIn("eve@example.com");
    const refused = await choose(eve, "/jobs/download", [one, two]);
    expect([refused.status, refused.headers.get("location")]).toEqual([303, "/jobs?news=none"]);
    expect((await choose(eve, "/jobs/delete-files", [one], "&confirmed=1")).headers.get("location")).toBe(
      "/jobs?news=none",
    );
    expect((await sendForm(eve, `/jobs/${one}/delete-files`)).status).toBe(404);
    expect(Object.keys(await archive(ada, [one]))).toHaveLength(2);
    expect((await ada.call("/jobs?news=none")).text).toContain("Select some works first");
  });

  test("[SITE-26] are deleted after a second press, without a script; the jobs stay and show it", async () => {
    const zoe = await signIn("zoe@example.com");
    const [kept, gone] = [
      await made(zoe, "stays", [await picture(10)]),
      await made(zoe, "goes", [await picture(90)]),
    ];
    await browser.visit("/jobs", as(zoe, { scripts: false }), async (visit) => {
      const { page } = visit;
      await page.locator(`#work-${gone} input`).check();
      await page.click("text=Delete files…");
      expect(await page.locator(".work__prompt").allTextContents()).toEqual(["goes"]);
      await visit.screenshot("jobs-delete");
      await page.getByRole("button", { name: "Delete files" }).click();
      expect(await page.textContent(".notice")).toContain("The files of 1 job are deleted");
      expect(await page.locator(`#work-${gone}`).textContent()).toContain("File deleted");
      expect(await page.locator(`#work-${kept} img`).count()).toBe(1);
      await page.click(`#work-${gone} a`);
      expect(await page.textContent(".media")).toMatch(/File deleted on \d/);
      expect(await page.textContent("#job-standing")).toContain("Completed: 1 file, 10 credits charged.");
    });
    expect((await choose(zoe, "/jobs/download", [gone])).headers.get("location")).toBe("/jobs?news=gone");
    // On the job's page, behind a separate press.
    await browser.visit(`/jobs/${kept}`, as(zoe), async (visit) => {
      await visit.expectGoodInEveryLight("job");
      await visit.page.click("text=Delete file…");
      await visit.expectAccessible();
      await visit.page.click(".confirm__panel button");
      await visit.page.waitForSelector("text=File deleted on");
    });
  });
});
