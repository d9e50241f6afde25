// Workflows on the website: the graph of a running and an ended one, cancelling, the list, and what other accounts cannot see.
import { beforeAll, describe, expect, test } from "vitest";
import { ProviderError } from "../../core/adapters/providers/provider.ts";
import { setPlan } from "../../core/identity/accounts/set-terms.ts";
import { addModel } from "../../core/studio/models/add-model.ts";
import { giveCredits } from "../support/credits.ts";
import { createScriptedProvider } from "../support/providers.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";
import { openBrowser } from "./support/browser.ts";
import { cookiesOf, sendForm } from "./support/forms.ts";
import { type Browser, callOf, signInAs } from "./support/sign-in.ts";

const ATTACK = `"><img src=x onerror="document.title='broken in'">`;
const PAGE = { headers: { accept: "text/html" } };

let ada: Browser;
let eve: Browser;

const provider = createScriptedProvider();
const service = sharedByTests(() => startWholeService({ provider }));
const browser = sharedByTests(() => openBrowser(service.url));
beforeAll(async () => {
  await addModel(service.app, {
    model_slug: "restyle",
    name: "Restyle",
    modality: "image",
    description: "For steps that are given a file.",
    credits: 3,
    per: "generation",
    estimated_seconds: 1,
    max_prompt_length: 100,
    params_schema: {
      type: "object",
      properties: { image: { type: "string", format: "atelier-input", "x-accept": "image" } },
      additionalProperties: false,
    },
    provider: "test",
    provider_model: "test",
    run_timeout_ms: 30_000,
  });
  await waitFor("the model to be known", async () => (await service.app.models()).has("restyle"));
  [ada, eve] = [await signInAs(service, "ada@example.com"), await signInAs(service, "eve@example.com")];
  await setPlan(service.app, ada.accountId, "studio");
  await giveCredits(service.app, ada.accountId, 1_000);
});

/** A picture, the same in ink, and a tune that waits for the picture. The prompts begin with `name`. */
async function run(name: string): Promise<{ id: string; jobOf: (step: string) => string }> {
  const made = await service.core.workflows.RunWorkflow(
    {
      steps: [
        { id: "picture", modality: "image", model_slug: "picture", prompt: `${name} picture` },
        {
          id: "ink",
          modality: "image",
          model_slug: "restyle",
          prompt: `${name} ink`,
          params_json: '{"image":"step:picture"}',
        },
        { id: "tune", modality: "audio", model_slug: "tune", prompt: `${name} tune`, after: ["picture"] },
      ],
    },
    callOf(ada),
  );
  const jobs = new Map(made.steps.map((step) => [step.id, step.job_id]));
  return { id: made.workflow_id, jobOf: (step) => jobs.get(step) ?? "" };
}

async function endOf(id: string): Promise<void> {
  const asked = { workflow_id: id, wait_seconds: 30 };
  await service.core.workflows.GetWorkflow(asked, callOf(ada));
}

const pageOf = async (id: string): Promise<string> => (await ada.call(`/workflows/${id}`, PAGE)).text;

describe("[FLOW-05] a workflow's page", () => {
  test("draws the graph, and updates it to its end without a reload", async () => {
    const { id, jobOf } = await run("live");
    const first = await provider.callFor("live picture");
    await browser.visit(`/workflows/${id}`, { cookies: cookiesOf(ada) }, async (visit) => {
      const { page } = visit;
      await page.evaluate("document.body.dataset.same = 'yes'");
      const standing = page.locator("#workflow-standing");
      expect(await standing.textContent()).toBe("Running, 0 of 3 steps done.");
      expect(await page.locator(".graph__column").count()).toBe(2);
      expect(await page.locator(".graph__line").count()).toBe(2);
      expect(await page.textContent("#step-ink")).toContain("Waits for picture");
      expect(await page.getAttribute("#step-ink a", "href")).toBe(`/jobs/${jobOf("ink")}`);
      first.finish();
      await page.waitForSelector("#step-ink .step--running");
      await page.waitForSelector("#step-tune .step--running");
      expect(await standing.textContent()).toBe("Running, 1 of 3 steps done.");
      expect(await page.locator(".graph__line--done").count()).toBe(2);
      await visit.expectGoodInEveryLight("workflow-running");
      (await provider.callFor("live ink")).finish();
      (await provider.callFor("live tune")).finish();
      await page.waitForSelector("text=Completed: 3 steps");
      expect(await page.isVisible("#cancel")).toBe(false);
      expect(await page.evaluate("document.body.dataset.same")).toBe("yes");
    });
  });

  test("reloads without a script while the workflow runs; then it is too late to cancel", async () => {
    const { id, jobOf } = await run("plain");
    const refresh = '<meta http-equiv="refresh"';
    const running = await pageOf(id);
    expect(running).toContain(refresh);
    expect(running).toMatch(/After picture/);
    for (const step of ["picture", "ink", "tune"]) (await provider.callFor(`plain ${step}`)).finish();
    await endOf(id);
    expect(await pageOf(id)).not.toContain(refresh);
    const late = await sendForm(ada, `/workflows/${id}/cancel`);
    expect(late.status).toBe(409);
    expect(late.text).toMatch(/role="alert"/);
    expect((await ada.call(`/jobs/${jobOf("ink")}`, PAGE)).text).toContain(`href="/workflows/${id}"`);
  });

  test("shows the failed step and the refund, and escapes the provider's text", async () => {
    const { id } = await run("bad");
    (await provider.callFor("bad picture")).fail(new ProviderError("provider_refused", `Refused: ${ATTACK}`));
    await endOf(id);
    const page = await pageOf(id);
    expect(page).toContain("Failed at picture, 0 of 3 steps done. All credits came back.");
    expect(page).toContain("picture: Refused: &quot;>&lt;img src=x");
    expect(page).not.toContain("<img src=x");
    expect(page.match(/step--cancelled/g)).toHaveLength(2);
  });

  test("cancels it by a form", async () => {
    const { id } = await run("off");
    const first = await provider.callFor("off picture");
    expect((await sendForm(ada, `/workflows/${id}/cancel`)).headers.get("location")).toBe(`/workflows/${id}`);
    const stopping = await pageOf(id);
    expect(stopping).toContain("Stopping. Steps that have not started are cancelled");
    expect(stopping.match(/step--cancelled/g)).toHaveLength(2);
    first.finish();
    await endOf(id);
    expect(await pageOf(id)).toContain("Cancelled, 1 of 3 steps done. 10 credits charged for what was made");
    // A repeat changes nothing.
    expect((await sendForm(ada, `/workflows/${id}/cancel`)).status).toBe(303);
  });
});

describe("[FLOW-07] building a workflow", () => {
  const fields = {
    "0.model": "picture",
    "0.id": "picture",
    "0.prompt": "again",
    "1.model": "restyle",
    "1.id": "picture-2",
    "1.prompt": "again in ink",
    "1.param.image": "step:picture",
    do: "run",
  };

  test("from a picture needs no scripts, and shows the price before the press; it runs again with changes", async () => {
    const wanted = { modality: "image", model_slug: "picture", prompt: "a paper boat", params_json: "{}" };
    const { job_id } = await service.core.jobs.Generate(wanted, callOf(ada));
    (await provider.callFor("a paper boat")).finish();
    await service.core.jobs.GetJob({ job_id, wait_seconds: 30 }, callOf(ada));
    const shown = { cookies: cookiesOf(ada), scripts: false };
    const id = await browser.visit(`/jobs/${job_id}`, shown, async ({ page }) => {
      await page.click("text=Build a workflow");
      expect(await page.inputValue('[name="0.prompt"]')).toBe("a paper boat");
      expect(await page.textContent("#price")).toBe("10 credits");
      await page.getByRole("button", { name: "Restyle 3 credits" }).click();
      expect(await page.inputValue('[name="1.param.image"]')).toBe("step:picture");
      expect(await page.textContent("#price")).toBe("13 credits");
      await page.fill('[name="0.prompt"]', "a larger boat");
      await page.fill('[name="1.prompt"]', "in ink");
      await page.fill("#name", "Boat in ink");
      await page.getByRole("button", { name: "Run all" }).click();
      expect(await page.textContent("h1")).toBe("Boat in ink");
      return new URL(page.url()).pathname.replace("/workflows/", "");
    });
    for (const prompt of ["a larger boat", "in ink"]) (await provider.callFor(prompt)).finish();
    await endOf(id);
    expect((await ada.call("/workflows", PAGE)).text).toContain("Boat in ink");

    await browser.visit(`/workflows/${id}`, { cookies: cookiesOf(ada) }, async (visit) => {
      const { page } = visit;
      await page.click("text=Get the code");
      expect(await page.textContent("#code-curl")).toContain('"image": "step:picture"');
      expect(await page.textContent("#code")).toContain("In a terminal. It prints the id");
      expect(await page.inputValue('[name="1.prompt"]')).toBe("in ink");
      await page.getByRole("button", { name: "Remove picture-2" }).click();
      await page.getByRole("button", { name: "Tune" }).click();
      expect(await page.isChecked('[name="1.after"]')).toBe(true);
      await page.getByRole("button", { name: "Clip" }).click();
      await page.getByText("Options of clip").click();
      await page.fill('[name="2.param.duration_seconds"]', "7");
      await page.locator("#price", { hasText: "29 credits" }).waitFor();
      expect(await page.textContent('[id="2.price"]')).toContain("14 credits");
      expect(await page.inputValue('[name="shown_price"]')).toBe("29");
      expect(await page.textContent("#code-curl")).toContain('"duration_seconds": 7');
      await page.getByRole("button", { name: "Remove clip" }).click();
      await visit.expectGoodInEveryLight("workflow-build");
    });
    for (const hidden of [`from=${job_id}`, `workflow=${id}`])
      expect((await eve.call(`/workflows/new?${hidden}`, PAGE)).status).toBe(404);
  });

  test("refuses a price that was not shown and marks a wrong field; a form sent twice makes one workflow", async () => {
    const send = (more: Record<string, string>) => sendForm(ada, "/workflows/new", { ...fields, ...more });
    for (const shown_price of ["12", "", "0"]) {
      const changed = await send({ shown_price });
      expect(changed.status).toBe(409);
      expect(changed.text).toMatch(
        /The price has changed[^]*The price is (now )?13 credits\.[^]*name="shown_price" value="13"/,
      );
    }
    const wrong = await send({ shown_price: "13", "1.prompt": " " });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('id="1.prompt-error"');
    const once = { shown_price: "13", idempotency_key: "built-once" };
    const [first, second] = [await send(once), await send(once)];
    expect(first.headers.get("location")).toMatch(/^\/workflows\/wfl_\w+$/);
    expect(second.headers.get("location")).toBe(first.headers.get("location"));
    for (const prompt of ["again", "again in ink"]) (await provider.callFor(prompt)).finish();
  });
});

test("[FLOW-05] workflows are listed newest first, next to the views of jobs, with instructions when empty", async () => {
  const ids = [(await run("one")).id, (await run("two")).id];
  const list = (await ada.call("/workflows", PAGE)).text;
  const shown = [...list.matchAll(/href="\/workflows\/(wfl_\w+)"/g)].map(([, id]) => id);
  expect(shown.slice(0, 2)).toEqual(ids.toReversed());
  expect(list).toContain("picture, ink, tune");
  expect((await ada.call("/jobs", PAGE)).text).toContain('href="/workflows"');
  expect((await eve.call("/workflows", PAGE)).text).toContain('href="/docs/workflows"');
});
