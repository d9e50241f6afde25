// What a prompt would show, requested from the model's provider before a job is created.
import { afterAll, beforeAll, expect, test } from "vitest";
import { understand } from "../../../../core/studio/jobs/understand.ts";
import { createLocalProvider } from "../../../../core/adapters/providers/local/provider.ts";
import { createLog } from "../../../../runtime/log/log.ts";
import { createCustomer, createTestApp, type TestApp } from "../../../support/app.ts";
import { createScriptedProvider } from "../../../support/providers.ts";

let testApp: TestApp;
const local = createLocalProvider(createLog("silent", "test"));
beforeAll(async () => {
  testApp = await createTestApp({
    provider: {
      ...createScriptedProvider(),
      understand: (_model, prompt) =>
        prompt === "silence" ? undefined : local.understand?.("canvas", prompt),
    },
  });
});
afterAll(() => testApp.close());

test("a prompt is checked before a job is created, where the provider supports it", async () => {
  const { app } = testApp;
  const { caller } = await createCustomer(app);
  const ask = (prompt: string, slug = "picture") => understand(app, caller, { slug, prompt });
  expect(await ask("a fox in velvet")).toEqual({ drawn: ["fox"], not_drawn: ["velvet"] });
  expect(await ask("silence")).toBe(undefined);
  await expect(ask("x".repeat(4001))).rejects.toMatchObject({ code: "invalid_request" });
  await expect(ask("a fox", "nothing")).rejects.toMatchObject({ code: "not_found" });
  await expect(understand(app, { kind: "none" }, { slug: "picture", prompt: "a fox" })).rejects.toMatchObject(
    { code: expect.any(String) },
  );
  expect(local.understand?.("voice", "a fox")).toBe(undefined);
});
