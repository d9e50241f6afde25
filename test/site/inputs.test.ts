// Files on the Generate page, in a real browser with the embedded provider: chosen, dropped, pasted, or the person's own outputs, with and
// without scripts, and the errors of unusable ones.
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { createLocalProvider } from "../../core/adapters/providers/local/provider.ts";
import { seedModels } from "../../core/studio/models/seed.ts";
import { fromMessages } from "../../proto/codec.ts";
import { type JobResource, jobSchema } from "../../proto/resources/job.ts";
import { createLog } from "../../runtime/log/log.ts";
import { giveCredits } from "../support/credits.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";
import { openBrowser, type Visit } from "./support/browser.ts";
import { as } from "./support/forms.ts";
import { type Browser, callOf, signInAs } from "./support/sign-in.ts";

const RESTYLE = "/generate?model=atelier-restyle";

let ada: Browser;
let photo: Buffer;

const local = sharedByTests(async () => createLocalProvider(createLog("error", "test")));
const service = sharedByTests(() => startWholeService({ providers: [local] }));
const browser = sharedByTests(() => openBrowser(service.url));
beforeAll(async () => {
  await seedModels(service.app);
  ada = await newPerson("ada@example.com");
  photo = await sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200" fill="#bcd8ee"/><circle cx="90" cy="70" r="40" fill="#e0492f"/><path d="M0 150 Q150 90 300 150 V200 H0Z" fill="#2e5d3a"/></svg>`,
    ),
  )
    .png()
    .toBuffer();
});

async function newPerson(email: string): Promise<Browser> {
  const person = await signInAs(service, email);
  const { accountId } = person;
  await giveCredits(service.app, accountId, 1_000);
  return person;
}

const picture = () => ({ name: "hill.png", mimeType: "image/png", buffer: photo });
const nonsense = () => ({
  name: "hill.png",
  mimeType: "image/png",
  buffer: Buffer.from("no picture at all, only its name"),
});

async function jobsOf(who: Browser): Promise<JobResource[]> {
  const request = { limit: 50, cursor: "", state: "", modality: "" };
  const { jobs } = await service.core.jobs.ListJobs(request, callOf(who));
  return fromMessages(jobSchema, jobs);
}

const uploadsOf = ({ accountId }: Browser) =>
  service.app.mongo.db.collection("uploads").countDocuments({ account_id: accountId });

/** Presses the button and waits for the result on the job's page. */
async function generate({ page }: Visit, prompt: string, shown = ".media img"): Promise<void> {
  await page.fill("#prompt", prompt);
  await page.click("#generate");
  await page.waitForURL("**/generate?job=job_*");
  await page.waitForSelector(shown);
}

const chosenIn = ({ page }: Visit) => page.locator(".input-field__chosen");
const errorIn = ({ page }: Visit) => page.locator(".input-field .field__error");

/** What a browser does when a person drops or pastes the photo. */
const handOver = ({ page }: Visit, kind: "drop" | "paste") =>
  page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob(${JSON.stringify(photo.toString("base64"))}), (c) => c.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], "from-${kind}.png", { type: "image/png" }));
    const event = ${JSON.stringify(kind)} === "drop"
      ? new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true })
      : new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    document.querySelector(${JSON.stringify(kind)} === "drop" ? ".input-field__zone" : "#prompt").dispatchEvent(event);
  })()`);

describe("a file for a model", () => {
  test("[OUT-09] is uploaded when chosen, shown, and used", async () => {
    await browser.visit(RESTYLE, as(ada), async (visit) => {
      await visit.expectGoodInEveryLight("generate-input");
      await visit.page.setInputFiles("input[type=file]", picture());
      await waitFor("the upload", async () => (await chosenIn(visit).textContent())?.startsWith("Chosen: "));
      expect(await chosenIn(visit).textContent()).toMatch(/^Chosen: hill\.png, PNG, 300 × 200, [\d.]+ kB$/);
      expect(await chosenIn(visit).locator("canvas").count()).toBe(1);
      await visit.expectGoodInEveryLight("generate-input-chosen");
      await visit.page.selectOption("[name='param.style']", "line");
      await generate(visit, "a hill in ink");
      expect(await visit.page.getAttribute(".media img", "width")).toBe("300");
    });
    const [job] = await jobsOf(ada);
    expect(job).toMatchObject({
      model_slug: "atelier-restyle",
      state: "completed",
      params: { image: expect.stringMatching(/^upl_/), style: "line" },
      outputs: [{ width: 300, height: 200 }],
    });
  });

  test("may be dropped or pasted, and the last one is used", async () => {
    await browser.visit(RESTYLE, as(ada), async (visit) => {
      for (const kind of ["drop", "paste"] as const) {
        await handOver(visit, kind);
        await waitFor(`what was handed over by ${kind}`, async () =>
          (await chosenIn(visit).textContent())?.startsWith(`Chosen: from-${kind}.png`),
        );
      }
      expect(await visit.page.inputValue("[name='param.image']")).toMatch(/^upl_/);
    });
  });

  test("a file for a model with a wrong type is refused next to its field, and can be replaced", async () => {
    await browser.visit(RESTYLE, as(ada, { expectedErrors: /422/ }), async (visit) => {
      await visit.page.setInputFiles("input[type=file]", nonsense());
      await errorIn(visit).waitFor({ state: "visible" });
      expect(await errorIn(visit).textContent()).not.toBe("");
      expect(await visit.page.getAttribute("input[type=file]", "aria-invalid")).toBe("true");
      await visit.expectGoodInEveryLight("generate-input-refused");
      await visit.page.setInputFiles("input[type=file]", picture());
      await waitFor("the upload", async () => (await chosenIn(visit).textContent())?.startsWith("Chosen: "));
      expect(await errorIn(visit).isVisible()).toBe(false);
    });
  });

  test("a file for a model that is still uploading delays the submit button", async () => {
    await browser.visit(RESTYLE, as(ada), async (visit) => {
      await visit.page.fill("#prompt", "in a hurry");
      const { promise, resolve } = Promise.withResolvers<void>();
      await visit.page.route("**/account/api/uploads", async (route) => {
        await promise;
        await route.continue();
      });
      await visit.page.setInputFiles("input[type=file]", picture());
      await chosenIn(visit).getByText("Sending").waitFor();
      await visit.page.click("#generate");
      resolve();
      await visit.page.waitForURL("**/generate?job=job_*");
    });
    expect((await jobsOf(ada))[0]?.params["image"]).toMatch(/^upl_/);
  });
});

describe("inputs without scripts", () => {
  test("[OUT-09] are uploaded with the form", async () => {
    const bob = await newPerson("bob@example.com");
    await browser.visit(RESTYLE, as(bob, { scripts: false, expectedErrors: /422/ }), async (visit) => {
      const { page } = visit;
      await page.setInputFiles("input[type=file]", nonsense());
      await page.fill("#prompt", "a hill at night");
      await page.click("#generate");
      expect(await errorIn(visit).textContent()).not.toBe("");
      expect(await page.textContent("[role=alert] .notice__title")).toBe(
        "Something in the form is not right",
      );
      expect(await page.inputValue("#prompt")).toBe("a hill at night");
      await page.setInputFiles("input[type=file]", picture());
      await page.selectOption("[name='param.style']", "night");
      await page.click("#generate");
      await page.waitForURL("**/generate?job=job_*");
    });
    const [job, ...more] = await jobsOf(bob);
    expect(more).toEqual([]);
    expect(job?.params).toMatchObject({ image: expect.stringMatching(/^upl_/), style: "night" });
    expect(await uploadsOf(bob)).toBe(1);
  });

  test("are kept when another field is wrong", async () => {
    await browser.visit(RESTYLE, as(ada, { scripts: false, expectedErrors: /400/ }), async (visit) => {
      const { page } = visit;
      await page.setInputFiles("input[type=file]", picture());
      // Valid for the browser, and empty for the service.
      await page.fill("#prompt", "   ");
      await page.click("#generate");
      expect(await chosenIn(visit).textContent()).toMatch(/Chosen: PNG, 300 × 200/);
      await page.fill("#prompt", "again");
      await page.click("#generate");
      await page.waitForURL("**/generate?job=job_*");
    });
  });
});

describe("an output as an input", () => {
  test("is used by a link on its page and in the list, for any model that accepts it", async () => {
    const eve = await newPerson("eve@example.com");
    await browser.visit("/generate?model=atelier-vector", as(eve), async (visit) => {
      const { page } = visit;
      await page.click("text=Own size");
      await page.fill("[name='param.width']", "256");
      await page.fill("[name='param.height']", "192");
      await generate(visit, "a lighthouse");
      await page.click("#result >> text=Restyle");
      expect(await page.textContent(".model[aria-current] .model__name")).toBe("Atelier Restyle");
      expect(await chosenIn(visit).textContent()).toBe("Chosen: a lighthouse");
      expect(await chosenIn(visit).locator("img").getAttribute("src")).toMatch(/\/outputs\/thm_/);
      await visit.expectGoodInEveryLight("generate-use-as-input");
      await page.click(".tabs >> text=Video");
      expect(await page.textContent(".model[aria-current] .model__name")).toBe("Atelier Drift");
      expect(await chosenIn(visit).textContent()).toBe("Chosen: a lighthouse");
      await page.click("text=Own size");
      for (const [name, value] of [
        ["width", "128"],
        ["height", "72"],
        ["duration_seconds", "1"],
        ["fps", "6"],
      ])
        await page.fill(`[name='param.${name}']`, value ?? "");
      await generate(visit, "zoom in", ".media video");
      await page.goto("/jobs?view=table");
      expect(await page.locator("text=Use as input").count()).toBe(1);
    });
    const [clip, source] = await jobsOf(eve);
    expect(clip).toMatchObject({
      model_slug: "atelier-drift",
      state: "completed",
      params: { image: source?.outputs[0]?.output_id },
    });
  });

  test("is picked from the person's own without a script, and removed again", async () => {
    const dan = await newPerson("dan@example.com");
    await browser.visit("/generate?model=atelier-vector", as(dan, { scripts: false }), async (visit) => {
      const { page } = visit;
      await page.click("text=Own size");
      for (const side of ["width", "height"]) await page.fill(`[name='param.${side}']`, "64");
      await page.fill("#prompt", "a boat");
      await page.click("#generate");
      await waitFor("the boat", async () => (await jobsOf(dan))[0]?.state === "completed");
      await page.goto(RESTYLE);
      await page.click("text=One of my outputs");
      await page.check(".pick:has-text('a boat') input");
      await page.fill("#prompt", "a boat in ink");
      await page.click("#generate");
      await page.waitForURL("**/generate?job=job_*");
    });
    const [restyled, boat] = await jobsOf(dan);
    expect(restyled?.params["image"]).toBe(boat?.outputs[0]?.output_id);
  });

  test("an output as an input of another person, of an unknown job, or expired is refused", async () => {
    const [theirs] = (await jobsOf(ada)).filter(({ outputs }) => outputs.length > 0);
    const [outputId, jobId] = [theirs?.outputs[0]?.output_id ?? "", theirs?.job_id ?? ""];
    const mal = await newPerson("mal@example.com");
    const html = { headers: { accept: "text/html" } };
    expect((await mal.call(`/generate?input=${outputId}&job=${jobId}`, html)).status).toBe(404);
    const gone = await ada.call(`/generate?input=out_${"0".repeat(26)}&job=${jobId}`, html);
    expect(gone.status).toBe(404);
    expect(gone.text).toContain("That file cannot be worked from.");
    await browser.visit(RESTYLE, as(mal, { expectedErrors: /404|422/ }), async (visit) => {
      await visit.page.click("text=By address");
      await visit.page.fill("[name='param.image']", outputId);
      await visit.page.fill("#prompt", "not mine");
      await visit.page.click("#generate");
      await errorIn(visit).waitFor({ state: "visible" });
      expect(await visit.page.inputValue("#prompt")).toBe("not mine");
    });
    expect(await jobsOf(mal)).toEqual([]);
  });
});

test("a URL of an inside address is refused next to its field", async () => {
  await browser.visit(RESTYLE, as(ada, { expectedErrors: /4\d\d/ }), async (visit) => {
    await visit.page.click("text=By address");
    await visit.page.fill("[name='param.image']", "https://127.0.0.1/secrets.png");
    await visit.page.fill("#prompt", "inside");
    await visit.page.click("#generate");
    await errorIn(visit).waitFor({ state: "visible" });
    expect(await visit.page.locator("#generate").isVisible()).toBe(true);
  });
});

test("a form with files and without the session's token is refused before any file is read", async () => {
  const before = await uploadsOf(ada);
  for (const token of [undefined, "wrong"]) {
    const form = new FormData();
    if (token !== undefined) form.append("csrf_token", token);
    form.append("model", "atelier-restyle");
    form.append("prompt", "forged");
    form.append("file.image", new File([new Uint8Array(photo)], "hill.png"));
    const encoded = new Response(form);
    const answer = await fetch(`${service.url}/generate`, {
      method: "POST",
      headers: { cookie: ada.cookie, "content-type": encoded.headers.get("content-type") ?? "" },
      body: await encoded.arrayBuffer(),
    });
    expect(answer.status).toBe(403);
  }
  expect(await uploadsOf(ada)).toBe(before);
});
