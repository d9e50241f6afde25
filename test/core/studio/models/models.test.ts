// Models in the database: seeded, listed, added, retired, and served by gRPC handlers.
import { describe, expect, test } from "vitest";
import { inTx } from "../../../../core/base/mongo/in-tx.ts";
import { addModel, type AddModelInput } from "../../../../core/studio/models/add-model.ts";
import { pauseModel, resumeModel, retireModel } from "../../../../core/studio/models/change-status.ts";
import { listAllModels, listModels, loadModels } from "../../../../core/studio/models/list-models.ts";
import { decodeAddModel } from "../../../../core/studio/models/rpc.ts";
import { LOCAL_MODELS, seedModels } from "../../../../core/studio/models/seed.ts";
import { useTestApp } from "../../../support/app.ts";

let now = new Date("2030-01-01T00:00:00.000Z");

const fixture = useTestApp({ clock: { now: () => now } });

function input(more: Partial<AddModelInput> = {}): AddModelInput {
  return {
    model_slug: "sketch",
    name: "Sketch",
    modality: "image",
    description: "Quick drawings.",
    credits: 3,
    per: "generation",
    estimated_seconds: 1.5,
    max_prompt_length: 500,
    params_schema: { type: "object", additionalProperties: false, properties: { mood: { type: "string" } } },
    provider: "test",
    provider_model: "sketch-1",
    run_timeout_ms: 20_000,
    ...more,
  };
}

test("seeding models adds the local models once, in order, and keeps an operator's changes", async () => {
  const { app } = fixture;
  const counts = await Promise.all([seedModels(app), seedModels(app)]);
  expect(counts[0] + counts[1]).toBe(LOCAL_MODELS.length);
  await retireModel(app, "atelier-loop");
  expect(await seedModels(app)).toBe(0);
  const local = (await listAllModels(app)).filter(({ provider }) => provider === "local");
  expect(local.map(({ _id }) => _id)).toEqual(LOCAL_MODELS.map(({ _id }) => _id));
  expect(local.filter(({ status }) => status === "retired").map(({ _id }) => _id)).toEqual(["atelier-loop"]);
});

describe("adding a model", () => {
  test("stores the input; adding it again keeps created_at and order, and restores a retired model", async () => {
    const { app } = fixture;
    now = new Date("2030-01-02T00:00:00.000Z");
    const first = await addModel(app, input({ order: 5 }));
    expect(first).toMatchObject({
      _id: "sketch",
      status: "live",
      credits: 3,
      provider_options: {},
      order: 5,
      created_at: now,
      updated_at: now,
    });
    await retireModel(app, "sketch");
    const created = now;
    now = new Date("2030-01-03T00:00:00.000Z");
    const second = await addModel(app, input({ credits: 4 }));
    expect(second).toMatchObject({
      status: "live",
      credits: 4,
      order: 5,
      created_at: created,
      updated_at: now,
    });
    expect((await listModels(app, "image")).map(({ _id }) => _id)[0]).toBe("sketch");
  });

  test.each([
    ["a slug with capitals", { model_slug: "Sketch" }, "model_slug"],
    ["a fractional price", { credits: 1.5 }, "credits"],
    ["a negative price", { credits: -1 }, "credits"],
    ["a price above the maximum", { credits: 1_000_001 }, "credits"],
    ["no price", { credits: undefined }, "pricing"],
    [
      "a price that is not the lowest of its rules",
      { pricing: { unit: "generation" as const, default: 4 } },
      "credits",
    ],
    [
      "a rule over an unknown param",
      { pricing: { unit: "generation" as const, default: 3, rules: [{ when: { size: "l" }, credits: 5 }] } },
      "pricing.rules.0.when.size",
    ],
    ["an empty name", { name: "  " }, "name"],
    ["a prompt limit above the maximum", { max_prompt_length: 4001 }, "max_prompt_length"],
    ["an unknown provider", { provider: "nobody" }, "provider"],
    [
      "an unknown fallback",
      { fallbacks: [{ provider: "nobody", provider_model: "x" }] },
      "fallbacks.0.provider",
    ],
    [
      "a fallback to the model itself",
      { fallbacks: [{ provider: "test", provider_model: input().provider_model }] },
      "fallbacks.0.provider",
    ],
    [
      "too many fallbacks",
      {
        fallbacks: Array.from({ length: 4 }, (_, i) => ({ provider: "test", provider_model: `x-${i}` })),
      },
      "fallbacks",
    ],
    ["an open schema", { params_schema: { type: "object" } }, "params_schema.additionalProperties"],
    [
      "a price per second without seconds",
      { per: "second" as const },
      "params_schema.properties.duration_seconds",
    ],
  ])("refuses %s", async (_what, more, path) => {
    await expect(addModel(fixture.app, input(more))).rejects.toMatchObject({
      code: "invalid_request",
      issues: [{ path }],
    });
  });

  test("keeps fallbacks in order, and removes them when added again without", async () => {
    const fallbacks = ["b", "a"].map((provider_model) => ({ provider: "test", provider_model }));
    const stored = await addModel(fixture.app, input({ model_slug: "with-fallbacks", fallbacks }));
    expect(stored.fallbacks).toEqual(fallbacks.map((fallback) => ({ ...fallback, provider_options: {} })));
    expect(await addModel(fixture.app, input({ model_slug: "with-fallbacks" }))).not.toHaveProperty(
      "fallbacks",
    );
  });

  test("accepts an operator's input over gRPC", async () => {
    const {
      params_schema,
      provider_model,
      run_timeout_ms: _timeout,
      provider_options: _options,
      order: _order,
      credits = 0,
      per = "",
      pricing: _pricing,
      cost: _cost,
      ...model
    } = input();
    const request = {
      model: {
        ...model,
        credits,
        per,
        pricing: null,
        params_schema_json: JSON.stringify(params_schema),
        status: "",
      },
      provider_model,
      run_timeout_seconds: 20,
      provider_options_json: '{"quality":"low"}',
      fallbacks: [],
      cost: null,
    };
    expect(decodeAddModel(request)).toEqual({ ...input(), provider_options: { quality: "low" } });
    expect(decodeAddModel({ ...request, provider_options_json: "" }).provider_options).toEqual({});
    const list = decodeAddModel({ ...request, provider_options_json: "[1]" });
    await expect(addModel(fixture.app, list)).rejects.toMatchObject({
      issues: [{ path: "provider_options", message: "must be an object" }],
    });
    for (const [json, message] of [
      ["{", "is not valid JSON"],
      ['{"__proto__":1}', "is a name that is not allowed"],
    ] as const) {
      expect(() => decodeAddModel({ ...request, provider_options_json: json })).toThrow(
        expect.objectContaining({ issues: [expect.objectContaining({ message })] }),
      );
    }
    expect(() => decodeAddModel({ ...request, model: null })).toThrow(
      expect.objectContaining({ code: "invalid_request" }),
    );
  });
});

describe("retiring a model", () => {
  test("[MOD-01] removes it from the list and keeps it loadable for jobs", async () => {
    const { app } = fixture;
    await addModel(app, input({ model_slug: "short-lived" }));
    expect((await retireModel(app, "short-lived")).status).toBe("retired");
    expect((await listModels(app)).map(({ _id }) => _id)).not.toContain("short-lived");
    const loaded = await inTx(app, (tx) => loadModels(app, tx));
    expect(loaded.get("short-lived")?.status).toBe("retired");
    expect(loaded.get("sketch")?.status).toBe("live");
  });

  test("ends its pause, and neither pausing nor resuming restores it", async () => {
    const { app } = fixture;
    await addModel(app, input({ model_slug: "paused-first" }));
    expect((await pauseModel(app, "paused-first")).status).toBe("paused");
    expect((await pauseModel(app, "paused-first")).status).toBe("paused");
    expect((await listModels(app)).map(({ _id }) => _id)).not.toContain("paused-first");
    expect((await resumeModel(app, "paused-first")).status).toBe("live");
    await retireModel(app, "paused-first");
    for (const change of [pauseModel, resumeModel])
      await expect(change(app, "paused-first")).rejects.toMatchObject({
        code: "model_not_available",
        message: "The model is retired; adding it again brings it back.",
      });
  });

  test("refuses an unknown slug", async () => {
    await expect(retireModel(fixture.app, "nothing")).rejects.toMatchObject({ code: "model_not_available" });
  });
});
