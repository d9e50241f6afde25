// Jobs on the website: the list, a running and an ended job, its webhook, and what other accounts cannot see.
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ProviderError, type ProviderOutput } from "../../core/adapters/providers/provider.ts";
import { setAccountStatus } from "../../core/identity/sessions/set-account-status.ts";
import { jobs } from "../../core/studio/jobs/store.ts";
import { giveCredits } from "../support/credits.ts";
import { createScriptedProvider, type ScriptedProvider } from "../support/providers.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";
import { openBrowser, type SiteBrowser } from "./support/browser.ts";
import { as, sendForm } from "./support/forms.ts";
import { type Browser, callOf, signInAs } from "./support/sign-in.ts";

const ATTACK = `"><img src=x onerror="document.title='broken in'"><script>document.title='broken in'</script>`;

let service: WholeService;
let provider: ScriptedProvider;
/** It receives the cancellation, and stops when the test says so. */
let stoppable: ScriptedProvider;
let browser: SiteBrowser;
let ada: Browser;
let eve: Browser;

beforeAll(async () => {
  provider = createScriptedProvider();
  stoppable = { ...createScriptedProvider({ cancel: async () => {} }), name: "stoppable" };
  service = await startWholeService({ provider, providers: [stoppable] });
  await service.app.mongo.db
    .collection<{ _id: string }>("models")
    .updateOne({ _id: "tune" }, { $set: { provider: "stoppable" } });
  ada = await signInAs(service, "ada@example.com");
  eve = await signInAs(service, "eve@example.com");
  for (const { accountId } of [ada, eve]) await giveCredits(service.app, accountId, 1_000);
  browser = await openBrowser(service.url);
});
afterAll(async () => {
  await browser.close();
  await service.close();
});

/** Creates a job of the person, as the website does. */
async function generate(
  who: Browser,
  prompt: string,
  more: { callback_url?: string; metadata?: Record<string, string> } = {},
): Promise<string> {
  const request = { modality: "image", model_slug: "picture", prompt, params_json: "{}", ...more };
  const { job_id } = await service.core.jobs.Generate(request, callOf(who));
  return job_id;
}

async function endOf(who: Browser, jobId: string): Promise<void> {
  await service.core.jobs.GetJob({ job_id: jobId, wait_seconds: 20 }, callOf(who));
}

async function finished(who: Browser, prompt: string, more = {}): Promise<string> {
  const jobId = await generate(who, prompt, more);
  (await provider.callFor(prompt)).finish();
  await endOf(who, jobId);
  return jobId;
}

describe("a job's page", () => {
  test("follows the job's events, and shows the final charge", async () => {
    const jobId = await generate(ada, "A tower of glass");
    const call = await provider.callFor("A tower of glass");
    await browser.visit(`/jobs/${jobId}`, as(ada), async ({ page, expectAccessible }) => {
      const standing = page.locator("#job-standing");
      await page.evaluate("document.querySelector('#job-standing').dataset.same = 'yes'");
      expect(await standing.textContent()).toBe("Running.");
      await expectAccessible();
      // Reported repeatedly, as providers do: reports within half a second of the start are dropped.
      await waitFor("progress", async () => {
        call.call.onProgress(0.4);
        return (await standing.textContent()) === "Running, 40% done.";
      });
      expect(await page.getAttribute("progress", "value")).toBe("0.4");
      call.finish();
      await page.waitForSelector(".media img");
      expect(await standing.textContent()).toBe("Completed: 1 file, 10 credits charged.");
      // The live region is still the same element.
      expect(await standing.getAttribute("data-same")).toBe("yes");
      expect(await page.locator(".timeline li > span").allTextContents()).toEqual([
        "Accepted, 10 credits held",
        "10 credits charged",
        "Started",
        "40% done",
        "Completed",
      ]);
      expect(await page.locator("details pre").textContent()).toMatch(/^ey[\w-]+\.ey[\w-]+\.[\w-]+$/);
    });
  });

  test("has the name of its model after that is retired, as the list of jobs and the spending", async () => {
    const jobId = await finished(ada, "by an old brush");
    const become = async (status: "live" | "retired") => {
      await service.app.mongo.db
        .collection<{ _id: string }>("models")
        .updateOne({ _id: "picture" }, { $set: { status } });
      await waitFor(`the model to be ${status}`, async () => {
        const { models } = await service.core.models.ShowModels({});
        return models.some(({ model_slug }) => model_slug === "picture") === (status === "live");
      });
    };
    await become("retired");
    for (const path of [`/jobs/${jobId}`, "/jobs", "/credits"])
      expect([path, (await ada.call(path)).text.includes("Picture</")]).toEqual([path, true]);
    await become("live");
  });

  test("reaches the end after a failed page request", async () => {
    const jobId = await generate(ada, "an outage");
    const call = await provider.callFor("an outage");
    const visit = as(ada, { expectedErrors: /ERR_FAILED/ });
    await browser.visit(`/jobs/${jobId}`, visit, async ({ page }) => {
      // More often than the stream makes the page request.
      let asked = 0;
      await page.route(`**/jobs/${jobId}`, (route) => (asked++ < 3 ? route.abort() : route.continue()));
      call.finish();
      await page.waitForSelector(".media img");
      expect(asked).toBeGreaterThanOrEqual(4);
    });
  });

  test("leads to the sign-in, and back, when the session has ended", async () => {
    const zoe = await signInAs(service, "zoe@example.com");
    await giveCredits(service.app, zoe.accountId, 10);
    const jobId = await generate(zoe, "signed out");
    const call = await provider.callFor("signed out");
    await browser.visit(`/jobs/${jobId}`, as(zoe, { expectedErrors: /401/ }), async ({ page }) => {
      await service.core.sessions.RevokeSession({ session_id: zoe.sessionId }, callOf(zoe));
      call.finish();
      await page.waitForURL(`**/sign-in?next=${encodeURIComponent(`/jobs/${jobId}`)}`);
    });
    expect((await zoe.call(`/jobs/${jobId}`, { headers: { accept: "text/html" } })).status).toBe(303);
  });

  test("shows a failure with its reason and refund, and escapes the provider's text", async () => {
    const jobId = await generate(ada, "fail");
    const call = await provider.callFor("fail");
    await browser.visit(`/jobs/${jobId}`, as(ada), async (visit) => {
      call.fail(new ProviderError("provider_refused", `Refused: ${ATTACK}`));
      await visit.page.waitForSelector(".notice--danger");
      expect(await visit.page.textContent(".notice--danger")).toContain(ATTACK);
      expect(await visit.page.textContent("#job-standing")).toBe("Failed: 10 credits refunded.");
      expect((await visit.page.textContent("main"))?.match(/refunded/g)).toHaveLength(2);
      expect(await visit.page.title()).toBe("Image: fail · Atelier");
      await visit.expectGoodInEveryLight("job-failed");
    });
  });

  test("cancels a waiting job, and reports when it is too late", async () => {
    // This plan runs one at a time: the second waits.
    const first = await generate(ada, "the first");
    const second = await generate(ada, "the second");
    const call = await provider.callFor("the first");
    await browser.visit(`/jobs/${second}`, as(ada), async ({ page }) => {
      expect(await page.textContent("#job-standing")).toBe("Waiting to start. It is next in line.");
      await page.click("#cancel");
      await page.waitForSelector("text=Cancelled before it started");
      expect(await page.isVisible("#cancel")).toBe(false);
    });
    // Its provider cannot cancel: no button is shown.
    const page = await ada.call(`/jobs/${first}`);
    expect(page.text).not.toContain('id="cancel"');
    expect(page.text).toContain("<h1>Image by Picture</h1>");
    const late = await sendForm(ada, `/jobs/${first}/cancel`);
    expect(late.status).toBe(409);
    expect(late.text).toMatch(/role="alert".*provider that cannot stop.*credits come back in full/s);
    call.finish();
    await endOf(ada, first);
  });

  test("cancels a running job where the provider can, and shows it cancelling", async () => {
    const request = { modality: "audio", model_slug: "tune", prompt: "a long one", params_json: "{}" };
    const { job_id: jobId } = await service.core.jobs.Generate(request, callOf(ada));
    const call = await waitFor("the call", () => stoppable.calls[0]);
    // With scripts the button becomes the status, and the page follows to the end.
    await browser.visit(`/jobs/${jobId}`, as(ada), async ({ page }) => {
      await page.click("#cancel");
      await page.waitForSelector("text=Stopping…");
      expect(await page.isDisabled("#cancel")).toBe(true);
      expect(await page.textContent("#job-standing")).toBe(
        "Stopping. All credits come back, unless it is done before that.",
      );
      expect((await ada.call("/jobs?state=cancelling")).text).toContain(`/jobs/${jobId}`);
      expect((await ada.call("/jobs?state=running")).text).not.toContain(`/jobs/${jobId}`);
      // Without scripts a repeat gets the same page.
      expect((await sendForm(ada, `/jobs/${jobId}/cancel`)).status).toBe(303);
      call.fail(new ProviderError("provider_unavailable", "Stopped.", { retryable: true, retryAfterMs: 1 }));
      await page.waitForSelector("text=/^Cancelled: \\d+ credits refunded\\.$/");
      expect(await page.isVisible("#cancel")).toBe(false);
    });
  });

  test("reloads without a script until the job has ended", async () => {
    const jobId = await generate(ada, "no script");
    const call = await provider.callFor("no script");
    const refresh = '<meta http-equiv="refresh"';
    expect((await ada.call(`/jobs/${jobId}`)).text).toContain(refresh);
    call.finish();
    await endOf(ada, jobId);
    expect((await ada.call(`/jobs/${jobId}`)).text).not.toContain(refresh);
  });

  test("shows each attempt of the webhook, and resends it", async () => {
    const jobId = await finished(ada, "call me", { callback_url: "http://127.0.0.1:1/nobody-listens" });
    const log = () => ada.call(`/jobs/${jobId}`);
    await waitFor("an attempt", async () => (await log()).text.includes("1. "));
    await browser.visit(`/jobs/${jobId}`, as(ada), async ({ page, expectAccessible, screenshot }) => {
      expect(await page.locator("#callback tbody tr").count()).toBe(1);
      await page.click("#redeliver");
      // It was pending, so the same delivery is sent now, long before its second attempt was due.
      await waitFor("the second attempt", async () => (await log()).text.includes("2. "));
      await page.reload();
      expect(await page.locator("#callback tbody tr").count()).toBe(1);
      await expectAccessible();
      await screenshot("job-callback");
    });
  });

  test("escapes prompt, metadata and params, and uses them for another job", async () => {
    const jobId = await finished(ada, ATTACK, { metadata: { [ATTACK.slice(0, 60)]: ATTACK } });
    for (const path of [`/jobs/${jobId}`, "/jobs", `/generate?from=${jobId}`]) {
      await browser.visit(path, as(ada), async ({ page }) => {
        expect(await page.title()).not.toBe("broken in");
        expect(await page.locator("main img[src=x], main script").count()).toBe(0);
      });
    }
    await browser.visit(`/generate?from=${jobId}`, as(ada), async ({ page }) => {
      expect(await page.inputValue("#prompt")).toBe(ATTACK);
    });
  });

  test("resumes its events for a returning reader, and ends with the job", async () => {
    const jobId = await finished(ada, "resume");
    const path = `/account/api/jobs/${jobId}/events`;
    const rest = await ada.call(path, { headers: { "last-event-id": "2" } });
    expect(rest.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(rest.text.match(/^id: \d+$/gm)).toEqual(["id: 3", "id: 4"]);
    expect((await ada.call(path, { headers: { "last-event-id": "4" } })).status).toBe(204);
  });

  test("serves files in ranges, to its owner's session only", async () => {
    const jobId = await finished(ada, "a file");
    const [, path = ""] =
      /src="(\/account\/api\/jobs\/[^"]+)"/.exec((await ada.call(`/jobs/${jobId}`)).text) ?? [];
    const part = await ada.call(path, { headers: { range: "bytes=0-3" } });
    expect([part.status, part.text]).toEqual([206, "made"]);
    expect(part.headers.get("cache-control")).toBe("private, no-cache");
    const known = await ada.call(path, { headers: { "if-none-match": part.headers.get("etag") } });
    expect(known.status).toBe(304);
    expect((await service.call(path)).status).toBe(401);
    expect((await eve.call(path)).status).toBe(404);
  });
});

describe("[SITE-27] a public link to a work", () => {
  const outputOf = async (jobId: string, who = ada) =>
    (await service.core.jobs.GetJob({ job_id: jobId }, callOf(who))).outputs[0]?.output_id ?? "";
  const linkOf = async (path: string, who = ada) =>
    /href="[^"]*(\/s\/[\w-]{22})"/.exec((await who.call(path)).text)?.[1] ?? "";

  test("shows the file to anyone, without the prompt unless its owner shows it, until it ends", async () => {
    const jobId = await finished(ada, "a secret garden");
    const path = `/jobs/${jobId}/outputs/${await outputOf(jobId)}/share`;
    expect(await linkOf(path)).toBe("");
    expect((await sendForm(ada, path)).status).toBe(303);
    const link = await linkOf(path);
    const page = await service.call(link);
    expect(page.status).toBe(200);
    expect(page.text).toContain('<meta name="robots" content="noindex"/>');
    expect(page.text).toContain("<h1>Image by Picture</h1>");
    const file = await service.call(`${link}/file`);
    expect([file.status, file.text.slice(0, 4), file.headers.get("cache-control")]).toEqual([
      200,
      "made",
      "private, no-cache",
    ]);
    for (const text of [page.text, String(file.headers.get("content-disposition"))])
      expect(text).not.toMatch(/secret.garden|ada@|acc_|job_/);

    await sendForm(ada, path, { prompt: "shown" });
    expect(await linkOf(path)).toBe(link);
    expect((await service.call(link)).text).toContain("a secret garden");

    expect((await sendForm(eve, `${path}/end`)).status).toBe(404);
    expect((await service.call(link)).status).toBe(200);
    await sendForm(ada, `${path}/end`);
    for (const ended of [link, `${link}/file`]) expect((await service.call(ended)).status).toBe(404);
    await sendForm(ada, path);
    expect(await linkOf(path)).not.toBe(link);
  });

  test("ends with the file and its account, reads no other file, and is its owner's alone to make", async () => {
    const owen = await signInAs(service, "owen@example.com");
    await giveCredits(service.app, owen.accountId, 20);
    const jobId = await finished(owen, "shared and deleted");
    const otherId = await finished(owen, "shared later");
    const outputId = await outputOf(jobId, owen);
    const otherOutput = await outputOf(otherId, owen);
    const path = `/jobs/${jobId}/outputs/${outputId}/share`;
    const otherPath = `/jobs/${otherId}/outputs/${otherOutput}/share`;
    const wrong = `/jobs/${otherId}/outputs/${outputId}/share`;
    for (const tried of [eve.call(path), sendForm(eve, path), owen.call(wrong), sendForm(owen, wrong)])
      expect((await tried).status).toBe(404);
    await sendForm(owen, path);
    const link = await linkOf(path, owen);
    const other = service.core.jobs.ReadOutput({ share_id: link.slice(3), output_id: otherOutput });
    await expect(other[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "not_found" });
    await sendForm(owen, `/jobs/${jobId}/delete-files`);
    for (const ended of [link, `${link}/file`]) expect((await service.call(ended)).status).toBe(404);
    expect((await sendForm(owen, path)).status).toBe(404);

    await sendForm(owen, otherPath);
    const later = await linkOf(otherPath, owen);
    expect((await service.call(`${later}/file`)).status).toBe(200);
    await setAccountStatus(service.app, "owen@example.com", "suspended");
    for (const ended of [later, `${later}/file`]) expect((await service.call(ended)).status).toBe(403);
  });

  test("works with a picture's thumbnail for previews, with and without scripts", async () => {
    const bytes = await sharp({ create: { width: 900, height: 600, channels: 3, background: "#357" } })
      .png()
      .toBuffer();
    const jobId = await generate(ada, "a blue field");
    (await provider.callFor("a blue field")).finish([
      { bytes, mimeType: "image/png", width: 900, height: 600 },
    ]);
    await endOf(ada, jobId);
    await browser.visit(`/jobs/${jobId}`, as(ada, { scripts: false }), async ({ page }) => {
      await page.click(".media a:has-text('Share')");
      expect(await page.locator("main figure img").count()).toBe(1);
      await page.check("input[name=prompt]");
      await page.click("text=Make a public link");
      const url = await page.getAttribute("#share-link", "href");
      await browser.visit(new URL(url ?? "").pathname, {}, async (visit) => {
        expect(await visit.page.title()).toBe("a blue field · Atelier");
        const image = (await visit.page.getAttribute('meta[property="og:image"]', "content")) ?? "";
        const picture = await visit.page.request.get(`${service.url}${new URL(image).pathname}`);
        expect([picture.status(), picture.headers()["content-type"]]).toEqual([200, "image/webp"]);
        await visit.expectGoodInEveryLight("shared");
      });
      await page.click("button:has-text('Stop sharing')");
      await page.waitForSelector("text=Make a public link");
      expect(await page.locator("#share-link").count()).toBe(0);
    });
  });
});

describe("pictures of jobs", () => {
  /** As large as providers' files are, unlike its thumbnails. */
  async function aLargePicture(): Promise<ProviderOutput> {
    const [width, height] = [1200, 800];
    const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
    const bytes = await sharp({ create: { width, height, channels: 3, background: "#888888", noise } })
      .png()
      .toBuffer();
    return { bytes, mimeType: "image/png", width, height };
  }

  test("[OUT-08] are thumbnails in the list and on the job's page, which links the file", async () => {
    const picture = await aLargePicture();
    const jobId = await generate(ada, "a large picture");
    (await provider.callFor("a large picture")).finish([picture]);
    await endOf(ada, jobId);
    // The stored file is larger than the provider's, because its metadata declares that it was generated.
    const stored = await service.app.mongo.db
      .collection<{ _id: string; outputs: { bytes: number }[] }>("jobs")
      .findOne({ _id: jobId });
    for (const [view, place] of [
      ["gallery", ".work"],
      ["table", "tbody tr"],
    ] as const)
      await browser.visit(`/jobs?view=${view}`, as(ada), async ({ page, transferredBytes }) => {
        const row = page.locator(place, { hasText: "a large picture" });
        expect(await row.locator("img").getAttribute("src")).toMatch(/\/outputs\/thm_/);
        await waitFor(
          "the thumbnail",
          async () => (await page.evaluate("document.querySelector('#works img').naturalWidth")) === 320,
        );
        expect(transferredBytes()).toBeLessThan(picture.bytes.length / 4);
      });
    for (const scripts of [true, false])
      await browser.visit(`/jobs/${jobId}`, as(ada, { scripts }), async ({ page, transferredBytes }) => {
        const shown = page.locator(".media img");
        expect(await shown.getAttribute("alt")).toBe("a large picture");
        const source = await shown.getAttribute("src");
        expect(source).toMatch(/\/outputs\/thm_/);
        expect(transferredBytes()).toBeLessThan(picture.bytes.length / 4);
        const file = await page.locator(".media a:has(img)").getAttribute("href");
        expect((await page.request.get(file ?? "")).headers()["content-length"]).toBe(
          String(stored?.outputs[0]?.bytes),
        );
        await expect(page.request.get(source ?? "").then((answer) => answer.status())).resolves.toBe(200);
        expect((await eve.call(source ?? "")).status).toBe(404);
      });
  });

  test("of a clip are its poster, and the clip loads when it is played", async () => {
    const { bytes: poster } = await aLargePicture();
    const jobId = await generate(ada, "a clip");
    (await provider.callFor("a clip")).finish([
      { bytes: new Uint8Array(500_000), mimeType: "video/mp4", width: 1200, height: 800, poster },
    ]);
    await endOf(ada, jobId);
    await browser.visit(`/jobs/${jobId}`, as(ada), async ({ page, transferredBytes }) => {
      expect(await page.getAttribute(".media video", "poster")).toMatch(/\/outputs\/thm_/);
      expect(await page.getAttribute(".media video", "preload")).toBe("none");
      // It loops, and is muted until a person wants sound.
      expect(await page.evaluate("document.querySelector('.media video').loop")).toBe(true);
      expect(await page.evaluate("document.querySelector('.media video').muted")).toBe(true);
      expect(transferredBytes()).toBeLessThan(400_000);
    });
    expect((await ada.call("/jobs?view=table")).text).toMatch(/<img[^>]+outputs\/thm_[^>]+>\s*<span>a clip/);
  });

  test("pictures of jobs that have expired are not shown", async () => {
    const jobId = await generate(ada, "long ago");
    (await provider.callFor("long ago")).finish([await aLargePicture()]);
    await endOf(ada, jobId);
    await jobs(service.app.mongo.db).updateOne(
      { _id: jobId },
      { $set: { "outputs.0.expires_at": new Date("2026-01-01") } },
    );
    const { text } = await ada.call("/jobs?view=gallery");
    const card = text.split('<li class="work"').find((one) => one.includes("long ago")) ?? "";
    expect(card).toContain("File expired");
    expect(card).not.toContain("<img");
  });
});

describe("the list of jobs", () => {
  test("is filtered by state and kind, in pages", async () => {
    const grace = await signInAs(service, "grace@example.com");
    await giveCredits(service.app, grace.accountId, 1_000);
    await browser.visit("/jobs", as(grace), async ({ page, expectAccessible }) => {
      expect(await page.textContent(".empty__title")).toBe("No jobs yet");
      await expectAccessible();
    });
    for (let i = 0; i < 28; i++) await generate(grace, `Take ${i}`);
    (await provider.callFor("Take 0")).finish();
    await provider.callFor("Take 1");
    await browser.visit("/jobs", as(grace), async (visit) => {
      const { page } = visit;
      expect(await page.locator(".work").count()).toBe(24);
      expect(await page.textContent(".work__prompt")).toContain("Take 27");
      await page.click("text=Older");
      expect(await page.locator(".work").count()).toBe(4);
      await page.selectOption("#state", "completed");
      await page.click("text=Show");
      expect(await page.locator(".work__prompt").allTextContents()).toEqual(["Take 0"]);
      await page.selectOption("#state", "");
      await page.fill("#search", "2 TAKE");
      await page.click("text=Show");
      const shown = await page.locator(".work__prompt").allTextContents();
      expect(shown.toSorted()).toEqual(
        ["12", "2", "20", "21", "22", "23", "24", "25", "26", "27"].map((n) => `Take ${n}`),
      );
      await page.selectOption("#modality", "audio");
      await page.click("text=Show");
      expect(await page.textContent(".empty__title")).toBe("No matching jobs");
      await page.goto("/jobs?state=&modality=image&view=table");
      await visit.expectGoodInEveryLight("jobs-table");
    });
    expect((await grace.call("/jobs?state=lost")).status).toBe(400);
    (await provider.callFor("Take 1")).finish();
  });

  test("[JOB-40] is filtered by several states, model, days and metadata, without a script", async () => {
    const joan = await signInAs(service, "joan@example.com");
    const { accountId } = joan;
    await giveCredits(service.app, accountId, 100);
    await generate(joan, "Plain");
    // The form as sent without a script: days in UTC, the last one included.
    const today = new Date().toISOString().slice(0, 10);
    const shown = async (query: string) => (await joan.call(`/jobs?${query}`)).text;
    const tagged = await generate(joan, "Tagged", { metadata: { order: "4711" } });
    for (const query of ["state=reserved%2Crunning%2Ccancelling", "model=picture", "metadata=order%3D4711"])
      expect(await shown(`modality=&cursor=&${query}`), query).toContain(tagged);
    expect(await shown("since=2020-01-01&until=2099-01-01&metadata=order%3D4711")).toContain(tagged);
    expect(await shown(`until=${today}&metadata=order%3D4711`)).toContain('value="order=4711"');
    for (const query of [
      "metadata=order%3D4712",
      "model=nothing",
      "until=2020-01-01",
      "state=completed,failed&model=clip",
    ])
      expect(await shown(query), query).toContain("No matching jobs");
    expect((await joan.call("/jobs?since=yesterday")).status).toBe(400);
    // The plan lets one run at a time.
    (await provider.callFor("Plain")).finish();
    (await provider.callFor("Tagged")).finish();
  });
});
