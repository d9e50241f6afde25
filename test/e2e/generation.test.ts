// Statements about models, plans and files over HTTP on the whole service that no test of one part shows.
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { JobResource } from "../../proto/resources/job.ts";
import type { PlanResource } from "../../proto/resources/model.ts";
import type { VerifiedOutput } from "../../proto/resources/verified-output.ts";
import { addTestModel, createCustomer } from "../support/app.ts";
import { expectRefusal } from "../support/http-calls.ts";
import { createScriptedProvider, SMALL_OUTPUT } from "../support/providers.ts";
import { sharedByTests } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService } from "../support/whole-service.ts";

/** Each file is its prompt, so that its digest is known before. */
const provider = createScriptedProvider({
  answer: ({ prompt }) => [{ ...SMALL_OUTPUT, bytes: new TextEncoder().encode(prompt) }],
});
const service = sharedByTests(() => startWholeService({ provider }));

test("[MOD-02] models can be filtered by modality, and the prompt limit of a model applies", async () => {
  const { key } = await createCustomer(service.app);
  await addTestModel(service.app, {
    model_slug: "haiku",
    modality: "audio",
    credits: 1,
    max_prompt_length: 17,
  });
  const { data } = await service.read<{ data: { modality: string }[] }>("/api/models?modality=audio", key);
  expect(new Set(data.map(({ modality }) => modality))).toEqual(new Set(["audio"]));
  const ask = (prompt: string) => service.generate(key, { modality: "audio", model_slug: "haiku", prompt });
  await waitFor("the new model to be heard of", async () => (await ask("🎵".repeat(17))).status === 202);
  const message = "is 18 characters; haiku takes at most 17";
  expectRefusal(await ask("🎵".repeat(18)), "invalid_request", {
    message: expect.any(String),
    issues: [{ path: "prompt", message }],
  });
});

test("[PLAN-01] there are four public plans: two with the API, with 1, 2, 5 and 20 parallel jobs", async () => {
  const { body, headers } = await service.call<{ result: { data: PlanResource[] } }>("/api/plans");
  expect(headers.get("cache-control")).toBe("public, max-age=60");
  expect(body.result.data.map(({ plan, api, concurrency }) => `${plan} ${api} ${concurrency}`)).toEqual([
    "free false 1",
    "starter false 2",
    "pro true 5",
    "studio true 20",
  ]);
});

test("[OUT-04] outputs are kept for 30 days, or fewer with keep_days", async () => {
  const { key } = await createCustomer(service.app);
  const daysOf = async (body: object) => {
    const { outputs, ended_at } = await service.make(key, { ...body });
    const [{ expires_at }] = outputs as [JobResource["outputs"][number]];
    return (Date.parse(expires_at) - Date.parse(ended_at ?? "")) / 86_400_000;
  };
  // To the full hour.
  expect(Math.floor(await daysOf({}))).toBe(30);
  expect(Math.floor(await daysOf({ keep_days: 2 }))).toBe(2);
  const message = "must be at most 30, as long as files are kept here";
  expectRefusal(await service.generate(key, { keep_days: 31 }), "invalid_request", {
    message: `keep_days ${message}.`,
    issues: [{ path: "keep_days", message }],
  });
});

test("[MARK-01] outputs are known by their digest to anyone: time and model, and not the owner", async () => {
  const { key, accountId } = await createCustomer(service.app);
  const ask = async (sha256: string) =>
    (await service.call<{ result: VerifiedOutput }>(`/api/outputs/verify?sha256=${sha256}`)).body;
  const unknown = {
    ok: true,
    result: { made: false, made_at: null, modality: null, model_slug: null, ledger_entry_hash: null },
  };
  const prompt = `own ${accountId}`;
  const sha256 = createHash("sha256").update(prompt).digest("hex");
  expect(await ask(sha256)).toEqual(unknown);
  const job = await service.make(key, { prompt });
  const answer = await ask(sha256.toUpperCase());
  const entries = await service.ledger(key);
  const debit = entries.find(({ kind, job_id }) => kind === "debit" && job_id === job.job_id);
  expect(answer).toEqual({
    ok: true,
    result: {
      made: true,
      made_at: job.ended_at,
      modality: "image",
      model_slug: "picture",
      ledger_entry_hash: debit?.hash,
    },
  });
  for (const secret of [accountId, prompt, job.job_id]) expect(JSON.stringify(answer)).not.toContain(secret);
  // It is known for as long as the file is kept.
  const files = service.app.mongo.db.collection<{ _id: string }>("outputs.files");
  await files.updateOne({ "metadata.sha256": sha256 }, { $set: { "metadata.expires_at": new Date(0) } });
  expect(await ask(sha256)).toEqual(unknown);
});

test("[SIGN-08] signed URLs of a suspended account are refused immediately", async () => {
  const { key, accountId } = await createCustomer(service.app);
  const url = (await service.make(key, { params: { count: 1 } })).outputs[0]?.url ?? "";
  expect((await fetch(url)).status).toBe(200);
  await service.core.admin.SetAccountStatus({ account: accountId, status: "suspended" });
  const refused = await fetch(url);
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: "account_suspended" }]);
  await service.core.admin.SetAccountStatus({ account: accountId, status: "active" });
  expect((await fetch(url)).status).toBe(200);
});

test("the audit is clean and no 5xx was logged after all tests", async () => {
  expect(await service.audit()).toEqual([]);
  expect(service.errors).toEqual([]);
});
