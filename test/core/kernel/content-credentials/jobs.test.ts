// Jobs of each kind of provider, from acceptance to the signed file.
import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { createAiSdkProvider } from "../../../../core/adapters/providers/ai-sdk/provider.ts";
import { createHttpQueueProvider } from "../../../../core/adapters/providers/http-queue/provider.ts";
import { createLocalProvider } from "../../../../core/adapters/providers/local/provider.ts";
import type { Provider } from "../../../../core/adapters/providers/provider.ts";
import { readCredentials } from "../../../../core/kernel/content-credentials/credentials.ts";
import { makeAuthority } from "../../../../core/kernel/content-credentials/development-authority.ts";
import { GENERATION_LABEL } from "../../../../core/kernel/content-credentials/manifest.ts";
import { openOutput } from "../../../../core/kernel/outputs/open.ts";
import { findOwnJob } from "../../../../core/studio/jobs/get.ts";
import type { JobsApp } from "../../../../core/studio/jobs/local-dispatch.ts";
import { toJob } from "../../../../core/studio/jobs/resource.ts";
import type { JobDoc } from "../../../../core/studio/jobs/store.ts";
import { startWorker } from "../../../../core/studio/runs/worker.ts";
import { systemClock } from "../../../../runtime/clock.ts";
import { createLog } from "../../../../runtime/log/log.ts";
import { acceptMany, askFor } from "../../../support/accept.ts";
import { createCustomer, createTestApp } from "../../../support/app.ts";
import { ledgerOf } from "../../../support/credits.ts";
import { createScriptedProvider, SMALL_OUTPUT } from "../../../support/providers.ts";
import { documentedEntry } from "../../../support/queues/documented.ts";
import { startFalQueue } from "../../../support/queues/fal.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { sendImages, startOpenAiServer } from "../../adapters/providers/openai-server.ts";
import { assertionOf, filesOfAllKinds, newDataDir, openCredentials } from "./fixtures.ts";

const log = createLog("silent", "test");
const undos: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of undos.splice(0).toReversed()) await undo();
});

/** An installation whose model `picture` uses the provider, with a worker. */
async function begin(
  provider: Provider,
  { providerModel = "test", change = (app: JobsApp) => app, env = {} as Record<string, string> } = {},
): Promise<JobsApp> {
  const { dataDir, remove } = newDataDir();
  undos.push(remove);
  const made = await createTestApp({
    provider,
    env: { ATELIER_DATA_DIR: dataDir, ATELIER_CONTENT_CREDENTIALS: "on", ...env },
  });
  undos.push(() => made.close());
  const app = change(made.app);
  await app.mongo.db
    .collection("models")
    .updateOne({ _id: "picture" as never }, { $set: { provider_model: providerModel } });
  const worker = startWorker(app, { concurrency: 8, leaseMs: 15_000 });
  undos.push(() => worker.stop(0));
  return app;
}

async function make(app: JobsApp, count = 1): Promise<{ job: JobDoc; files: Buffer[] }> {
  const { caller } = await createCustomer(app);
  const [accepted] = await acceptMany(
    app,
    1,
    askFor(caller, { prompt: "a secret prompt", params: { count } }),
  );
  if (!accepted) throw new Error("no job was accepted");
  const { account_id: accountId, _id: jobId } = accepted;
  const job = await waitFor("the job to end", async () => {
    const now = await findOwnJob(app, accountId, jobId);
    return now.ended_at !== null && now;
  });
  const files = [];
  for (const { output_id: outputId } of job.outputs) {
    const { stream } = await openOutput(app, { accountId, jobId, outputId, offset: 0, length: 0 });
    files.push(await buffer(stream()));
  }
  return { job: job as JobDoc, files };
}

async function expectSigned(app: JobsApp, { job, files }: { job: JobDoc; files: Buffer[] }, source: string) {
  expect([job.state, job.error]).toEqual(["completed", null]);
  const debit = (await ledgerOf(app, job.account_id)).find(
    ({ kind, job_id }) => kind === "debit" && job_id === job._id,
  );
  for (const [index, file] of files.entries()) {
    const output = job.outputs[index];
    expect(output).toMatchObject({
      content_credentials: "signed",
      bytes: file.length,
      sha256: createHash("sha256").update(file).digest("hex"),
    });
    const report = await readCredentials(app, file, output?.mime_type ?? "");
    expect(report?.state).toBe("trusted");
    expect(assertionOf(report, GENERATION_LABEL)).toEqual({
      job_id: job._id,
      ledger_entry_id: debit?._id,
      ledger_entry_hash: debit?.hash,
      model_slug: "picture",
      output_index: index,
    });
    expect(JSON.stringify(assertionOf(report, "c2pa.actions.v2"))).toContain(`/${source}"`);
    for (const secret of ["secret prompt", job.account_id, "@example.com"]) {
      expect(file.includes(secret)).toBe(false);
      expect(JSON.stringify(report)).not.toContain(secret);
    }
    expect(file.includes("Atelier, picture"), "the slug stands in the IPTC metadata").toBe(true);
  }
  expect((await toJob(app, job)).outputs.map((one) => one.content_credentials)).toEqual(
    files.map(() => "signed"),
  );
}

test("[OUT-60] [MARK-02] every output of the embedded provider is stored signed", async () => {
  const provider = createLocalProvider(log);
  undos.push(() => provider.close?.());
  const app = await begin({ ...provider, name: "test" }, { providerModel: "canvas" });
  await expectSigned(app, await make(app, 2), "algorithmicMedia");
});

test("[OUT-60] [MARK-02] an output of a queue provider is stored signed, after suspend and resume", async () => {
  const queue = await startFalQueue({ endsAfterMs: () => 50 });
  undos.push(() => queue.close());
  const entry = documentedEntry("fal", { fal: queue.origin });
  const deps = { log, clock: systemClock, timeoutMs: 60_000 };
  const provider = createHttpQueueProvider("test", entry, deps);
  undos.push(() => provider.close?.());
  const app = await begin(provider, { providerModel: "fal-ai/flux/dev" });
  await expectSigned(app, await make(app), "trainedAlgorithmicMedia");
});

test("[OUT-60] [MARK-02] an output of an AI SDK provider is stored signed", async () => {
  const server = await startOpenAiServer();
  undos.push(() => server.close());
  const [png] = await filesOfAllKinds();
  server.answer(sendImages(png?.bytes ?? new Uint8Array()));
  const settings = {
    package: "@ai-sdk/openai",
    export: "createOpenAI",
    options: { baseURL: server.baseURL, apiKey: "sk-test" },
  };
  const provider = await createAiSdkProvider("test", settings, { log, clock: systemClock });
  const app = await begin(provider, { providerModel: "gpt-image-1" });
  await expectSigned(app, await make(app), "trainedAlgorithmicMedia");
});

test("[OUT-61] an output that cannot be signed is stored, reported as failed and counted", async () => {
  const provider = createScriptedProvider({ answer: () => [SMALL_OUTPUT] });
  const app = await begin(provider);
  const { job, files } = await make(app);
  expect([job.state, job.outputs[0]?.content_credentials]).toEqual(["completed", "failed"]);
  expect(files).toEqual([Buffer.from(SMALL_OUTPUT.bytes)]);
  expect(await app.metrics.registry.metrics()).toContain(
    'atelier_content_credentials_total{result="failed"} 1',
  );
});

test("a thread that crashes during a signature loses no output", async () => {
  const [png] = await filesOfAllKinds();
  if (!png) throw new Error("there is no picture");
  const provider = createScriptedProvider({ answer: () => [png] });
  const { dataDir, remove } = newDataDir();
  undos.push(remove);
  const entry = new URL("crashing-thread.ts", import.meta.url);
  const credentials = openCredentials(dataDir, {}, { entry });
  undos.push(() => credentials.close());
  const app = await begin(provider, { change: (own) => ({ ...own, credentials }) });
  const { job, files } = await make(app);
  expect([job.state, job.outputs[0]?.content_credentials]).toEqual(["completed", "failed"]);
  expect(files[0]?.includes("Atelier, picture"), "the IPTC metadata stays").toBe(true);
});

test("an expired configured certificate signs nothing, and no output is lost", async () => {
  const [png] = await filesOfAllKinds();
  if (!png) throw new Error("there is no picture");
  const provider = createScriptedProvider({ answer: () => [png] });
  const clock = { now: () => new Date(Date.now() + 400 * 86_400_000) };
  const pem = await makeAuthority(new Date());
  const app = await begin(provider, {
    env: { ATELIER_CONTENT_CREDENTIALS_CERT: pem, ATELIER_CONTENT_CREDENTIALS_KEY: pem },
    change: (own) => {
      const { credentials } = own;
      return { ...own, credentials: { ...credentials, signer: () => credentials.signer(clock.now()) } };
    },
  });
  const { job } = await make(app);
  expect([job.state, job.outputs[0]?.content_credentials]).toEqual(["completed", "failed"]);
});

test("outputs are stored without a signature and marked so where signing is off", async () => {
  const [png] = await filesOfAllKinds();
  if (!png) throw new Error("there is no picture");
  const provider = createScriptedProvider({ answer: () => [png] });
  const app = await begin(provider, { env: { ATELIER_CONTENT_CREDENTIALS: "off" } });
  const { job, files } = await make(app);
  expect(job.outputs[0]?.content_credentials).toBe("off");
  expect(await readCredentials(app, files[0] ?? Buffer.alloc(0), "image/png")).toBeUndefined();
});
