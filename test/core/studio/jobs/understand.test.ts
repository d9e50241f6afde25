// What a prompt would show, requested from the model's provider before a job is created, and prompts of which it can make nothing.
import { expect, onTestFinished, test, vi } from "vitest";
import { createLocalProvider } from "../../../../core/adapters/providers/local/provider.ts";
import { acceptJobs } from "../../../../core/studio/jobs/accept.ts";
import { estimateJob, understand } from "../../../../core/studio/jobs/estimate.ts";
import { jobs } from "../../../../core/studio/jobs/store.ts";
import { createLog } from "../../../../runtime/log/log.ts";
import { createCustomer, useTestApp } from "../../../support/app.ts";
import { startTestCore } from "../../../support/core.ts";
import { createScriptedProvider } from "../../../support/providers.ts";
import { waitFor } from "../../../support/wait-for.ts";

const local = createLocalProvider(createLog("silent", "test"));
const UNKNOWN = "qwertz asdf";
const REFUSAL =
  "names nothing that Sketch can draw; name a thing or a place, such as a fox by a lake, or use another model";
const testApp = useTestApp({
  provider: {
    ...createScriptedProvider(),
    understand: async (request) => {
      if (request.prompt === "silence") return {};
      return (await local.understand?.({ ...request, model: "canvas" })) ?? {};
    },
    refuse: (request) => local.refuse?.({ ...request, model: "canvas" }),
  },
});

test("a prompt is checked before a job is created, where the provider supports it", async () => {
  const { app } = testApp;
  const { caller } = await createCustomer(app);
  const ask = (prompt: string, slug = "picture") => understand(app, caller, { slug, prompt, params: {} });
  expect((await ask("a fox in velvet")).understood).toEqual({ drawn: ["fox"], not_drawn: ["velvet"] });
  expect((await ask("silence")).understood).toBe(undefined);
  expect(await ask(UNKNOWN)).toMatchObject({ understood: { drawn: [] }, refusal: REFUSAL });
  await expect(ask("x".repeat(4001))).rejects.toMatchObject({ code: "invalid_request" });
  await expect(ask("a fox", "nothing")).rejects.toMatchObject({ code: "not_found" });
  const asked = { slug: "picture", prompt: "a fox", params: { width: "wrong" } };
  expect((await understand(app, { kind: "none" }, asked)).understood?.drawn).toEqual(["fox"]);
  const unknown = { kind: "key", keySha256: "0".repeat(64), source: "api" } as const;
  await expect(understand(app, unknown, asked)).rejects.toMatchObject({ code: "invalid_key" });
});

test.each([
  ["voice", {}, undefined, undefined],
  ["landscape", {}, [], undefined],
  ["sketch", {}, [], REFUSAL],
  ["motion", { picture: "landscape" }, [], undefined],
  ["motion", { picture: "sketch" }, [], REFUSAL],
  // Models of earlier releases have no such param.
  ["loop", {}, [], REFUSAL],
])(
  "the built-in model %s with %j predicts what it would draw of unknown words",
  async (model, params, drawn, refusal) => {
    const request = { model, prompt: UNKNOWN, params };
    const prediction = await local.understand?.(request);
    expect([prediction?.understood?.drawn, prediction?.refusal]).toEqual([drawn, refusal]);
    expect(local.refuse?.(request)).toEqual(refusal);
  },
);

test("the params of a model change what it would draw", async () => {
  const drawnBy = async (model: string, params: Record<string, unknown>) =>
    (await local.understand?.({ model, prompt: "an owl in blue", params }))?.understood?.drawn;
  expect(await drawnBy("motion", { picture: "sketch" })).toEqual(["owl"]);
  expect(await drawnBy("motion", { picture: "gradient" })).toEqual(["blue"]);
  expect(await drawnBy("pattern", { style: "dots" })).toEqual(["blue"]);
});

test("what a prompt would show and why it is refused come from one reading of it", async () => {
  const { app } = testApp;
  const prediction = { understood: { drawn: [], not_drawn: ["mist"] }, refusal: "names mist" };
  const refuse = () => expect.fail("the prompt was read again");
  const provider = { ...createScriptedProvider(), understand: async () => prediction, refuse };
  const providers = new Map([[provider.name, provider]]);
  const asked = { slug: "picture", prompt: "mist", params: {} };
  expect(await understand({ ...app, providers }, { kind: "none" }, asked)).toEqual(prediction);
});

test("a core loads what the first prompt needs after its start", async () => {
  const warmed = vi.fn<() => Promise<void>>(async () => {});
  const core = await startTestCore({ provider: { ...createScriptedProvider(), warm: warmed } });
  onTestFinished(() => core.close());
  await waitFor("the words", () => warmed.mock.calls.length > 0);
  expect(warmed).toHaveBeenCalledOnce();
});

test("a prompt of which the model can make nothing is refused before any credit moves", async () => {
  const { app } = testApp;
  const { caller, accountId } = await createCustomer(app);
  const request = { modality: "image", model_slug: "picture", prompt: UNKNOWN } as const;
  const refused = { code: "invalid_request", issues: [{ path: "prompt", message: REFUSAL }] };
  await expect(estimateJob(app, caller, request)).rejects.toMatchObject(refused);
  expect(await acceptJobs(app, [{ caller, request, idempotencyKey: null }])).toMatchObject([
    { status: "rejected", reason: refused },
  ]);
  expect(await jobs(app.mongo.db).countDocuments({ account_id: accountId })).toBe(0);
});
