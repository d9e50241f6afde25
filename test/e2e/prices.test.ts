// Models priced by params, bought on every surface for exactly the price shown before.
import { beforeAll, describe, expect, test } from "vitest";
import { fromMessage } from "../../proto/codec.ts";
import { jobSchema } from "../../proto/resources/job.ts";
import type { PriceUnit } from "../../proto/resources/pricing.ts";
import { sendForm } from "../site/support/forms.ts";
import { type Browser, callOf, signInAs } from "../site/support/sign-in.ts";
import { createCustomer } from "../support/app.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";

type Rule = { when: Record<string, unknown>; credits: number };
const param = (values: readonly unknown[]) => ({ enum: values, default: values[0] });

const card = (
  slug: string,
  modality: string,
  { unit, usual, rules }: { unit: PriceUnit; usual: number; rules: readonly Rule[] },
  properties: object,
) => ({
  model: {
    model_slug: slug,
    name: slug,
    modality,
    description: "As its maker prices it.",
    estimated_seconds: 1,
    max_prompt_length: 4_000,
    params_schema_json: JSON.stringify({ type: "object", additionalProperties: false, properties }),
    provider: "test",
    pricing: {
      version: 1,
      unit,
      default: usual,
      rules: rules.map(({ when, credits }) => ({ when_json: JSON.stringify(when), credits })),
    },
  },
  provider_model: "x",
  run_timeout_seconds: 30,
});

/** A clip by resolution and sound, a picture by quality and size, speech by its characters. */
const CARDS = [
  card(
    "clip-by-sound",
    "video",
    {
      unit: "second",
      usual: 10,
      rules: [
        { when: { resolution: "1080p", audio: true }, credits: 50 },
        { when: { resolution: "1080p" }, credits: 35 },
        { when: { audio: true }, credits: 15 },
      ],
    },
    {
      resolution: param(["720p", "1080p"]),
      audio: { type: "boolean", default: false },
      duration_seconds: param([8, 4, 6]),
    },
  ),
  card(
    "picture-by-quality",
    "image",
    {
      unit: "image",
      usual: 4,
      rules: [
        { when: { quality: "high", size: "1536x1024" }, credits: 25 },
        { when: { quality: "high" }, credits: 17 },
        { when: { quality: "low" }, credits: 1 },
      ],
    },
    {
      quality: param(["medium", "low", "high"]),
      size: param(["1024x1024", "1536x1024"]),
      count: { type: "integer", minimum: 1, maximum: 4, default: 1 },
    },
  ),
  card("speech-by-length", "audio", { unit: "1000_characters", usual: 30, rules: [] }, {}),
  card(
    "flat-picture",
    "image",
    { unit: "megapixel", usual: 10, rules: [] },
    {
      width: { type: "integer", minimum: 64, maximum: 4096, default: 1024 },
      height: { type: "integer", minimum: 64, maximum: 4096, default: 1024 },
    },
  ),
  card("free-draft", "image", { unit: "image", usual: 0, rules: [] }, {}),
];

const BOUGHT: readonly [
  slug: string,
  modality: string,
  params: Record<string, unknown>,
  characters: number,
  credits: number,
  rule: number,
][] = [
  ["clip-by-sound", "video", { resolution: "1080p", audio: true, duration_seconds: 4 }, 20, 200, 1],
  ["clip-by-sound", "video", { resolution: "1080p", duration_seconds: 6 }, 20, 210, 2],
  ["clip-by-sound", "video", {}, 20, 80, 0],
  ["picture-by-quality", "image", { quality: "high", size: "1536x1024", count: 4 }, 20, 100, 1],
  ["picture-by-quality", "image", { quality: "low" }, 20, 1, 3],
  ["speech-by-length", "audio", {}, 1_500, 45, 0],
  ["speech-by-length", "audio", {}, 99, 2, 0],
  ["flat-picture", "image", { width: 1920, height: 1080 }, 20, 20, 0],
];

let key: string;
let accountId: string;
let ada: Browser;
const service = sharedByTests(() => startWholeService());
beforeAll(async () => {
  for (const one of CARDS)
    await service.core.admin.AddModel(one as Parameters<typeof service.core.admin.AddModel>[0]);
  ({ key, accountId } = await createCustomer(service.app, { credits: 100_000 }));
  ada = await signInAs(service, "ada@example.com");
  await service.core.admin.GrantCredits({
    account: "ada@example.com",
    amount: 100_000,
    kind: "grant",
    idempotency_key: "ada",
  });
});

describe("a model with prices by params", () => {
  test.each(BOUGHT)(
    "[PRICE-01] [GEN-09] %s (%s, %j, %d characters) costs %d on REST, as a tool and on the website, as estimated",
    async (slug, modality, params, characters, credits, rule) => {
      const request = { modality, model_slug: slug, prompt: "x".repeat(characters), params };
      const estimate = await service.call<{ result: { credits: number; priced_by: { when: unknown } } }>(
        "/api/v1/connect/estimate",
        { key, method: "POST", body: request },
      );
      expect(estimate.body.result.credits).toBe(credits);
      const { structuredContent: told } = await service.tool(key, "estimate_generation", request);
      expect(told).toMatchObject({ credits });
      const priced = await service.core.admin.GetModelPrice({
        model_slug: slug,
        params_json: JSON.stringify(params),
        characters,
      });
      expect([priced.credits, priced.matching[0] ?? 0]).toEqual([credits, rule]);

      const rest = await service.generate(key, request);
      const tool = await service.tool(key, "connect_generate", request);
      const fields = Object.entries(params).map(([name, value]) => [`param.${name}`, String(value)]);
      const pressed = await sendForm(ada, "/generate", {
        model: slug,
        prompt: request.prompt,
        shown_price: String(credits),
        ...Object.fromEntries(fields),
      });
      expect(pressed.status).toBe(303);
      const [onSite = ""] = /job_\w+/.exec(pressed.headers.get("location") ?? "") ?? [];
      const site = await service.core.jobs.GetJob({ job_id: onSite, wait_seconds: 30 }, callOf(ada));
      const ended = [
        await service.waitForEnd(key, rest.body.result.job_id),
        await service.waitForEnd(key, tool.structuredContent?.job_id ?? ""),
        fromMessage(jobSchema, site),
      ];
      for (const job of ended)
        expect(job).toMatchObject({
          state: "completed",
          credits_reserved: credits,
          credits_charged: credits,
          priced_by: estimate.body.result.priced_by,
        });
    },
  );

  test("[PRICE-02] [MOD-01] is listed with all its prices, and with the lowest for older clients", async () => {
    const { body } = await service.call<{ result: { data: object[] } }>("/api/models?modality=video", {
      key,
    });
    expect(body.result.data).toContainEqual(
      expect.objectContaining({
        model_slug: "clip-by-sound",
        credits: 10,
        per: "second",
        pricing: {
          version: 1,
          unit: "second",
          default: 10,
          rules: [
            { when: { resolution: "1080p", audio: true }, credits: 50 },
            { when: { resolution: "1080p" }, credits: 35 },
            { when: { audio: true }, credits: 15 },
          ],
        },
      }),
    );
    const one = await service.tool(key, "list_models", { model: "clip-by-sound" });
    expect(one.content[0]?.text).toContain(
      "resolution 1080p, audio true: 50; resolution 1080p: 35; audio true: 15; else 10.",
    );
    const page = (await service.call("/models/clip-by-sound", { headers: { accept: "text/html" } })).text;
    expect(page.replaceAll(/\s+/g, " ")).toMatch(/Resolution 1080p, Audio yes<\/th>\s*<td[^>]*>50</);
  });

  test("[PRICE-03] gets a new version with a new price, and jobs keep their version", async () => {
    const request = { modality: "video", model_slug: "clip-by-sound", prompt: "x", params: { audio: true } };
    const before = (await service.generate(key, request)).body.result.job_id;
    const [first] = CARDS;
    if (!first) throw new Error("there is no card");
    const { pricing, ...model } = first.model;
    const dearer = {
      ...first,
      model: {
        ...model,
        pricing: { ...pricing, rules: pricing.rules.map((rule) => ({ ...rule, credits: rule.credits + 1 })) },
      },
    };
    const add = (definition: object) =>
      service.core.admin.AddModel(definition as Parameters<typeof service.core.admin.AddModel>[0]);
    expect((await add(dearer)).pricing?.version).toBe(2);
    expect((await add(dearer)).pricing?.version).toBe(2);
    // Every process knows the new price within a second.
    await waitFor("the new price", async () => {
      const told = await service.call<{ result: { priced_by: { version: number } } }>(
        "/api/v1/connect/estimate",
        { key, method: "POST", body: request },
      );
      return told.body.result.priced_by.version === 2;
    });
    const after = (await service.generate(key, request)).body.result.job_id;
    const pricedBy = async (id: string) => (await service.waitForEnd(key, id)).priced_by;
    expect(await pricedBy(before)).toMatchObject({ version: 1, credits: 15, when: { audio: true } });
    expect(await pricedBy(after)).toMatchObject({ version: 2, credits: 16, when: { audio: true } });
  });

  test("[PRICE-04] may be free, and its jobs still hold, capture and refund in the ledger", async () => {
    const job = await service.make(key, { model_slug: "free-draft" });
    expect(job).toMatchObject({ state: "completed", credits_reserved: 0, credits_charged: 0 });
    const { entries } = await service.core.credits.ListLedger(
      { limit: 5, job_id: job.job_id },
      { caller: { kind: "account", accountId, source: "app" } },
    );
    expect(entries.map(({ kind, amount, hold }) => `${kind} ${amount} ${hold}`)).toEqual([
      "debit 0 0",
      "reserve 0 0",
    ]);
  });

  test("keeps the audit clean", async () => {
    expect(await service.audit()).toEqual([]);
  });
});
