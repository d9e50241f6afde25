// The fixture in which every declared response can be provoked: accounts, jobs and a product in the needed states, and gateways with
// faults.
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Socket } from "node:net";
import { ProviderError } from "../../core/adapters/providers/provider.ts";
import { setPlan } from "../../core/identity/accounts/set-terms.ts";
import { accounts } from "../../core/identity/accounts/store.ts";
import { answerApproval } from "../../core/identity/approvals/answer.ts";
import { findApprovalsOf } from "../../core/identity/approvals/store.ts";
import { setAccountStatus } from "../../core/identity/sessions/set-account-status.ts";
import { createRateLimits } from "../../edge/http/rate-limit.ts";
import { createHttpServer as createServiceServer } from "../../edge/http/server.ts";
import { gatewayRoutes } from "../../gateway/app.ts";
import { type CoreClient, createCoreClient } from "../../proto/client.ts";
import type { JobResource, Modality } from "../../proto/resources/job.ts";
import type { UploadAddressResource, UploadResource } from "../../proto/resources/upload.ts";
import { createLog } from "../../runtime/log/log.ts";
import { createMetrics } from "../../runtime/ops/metrics.ts";
import { freePort } from "../../runtime/process/free-port.ts";
import { importRows, row } from "../core/shop/catalog/rows.ts";
import { picture } from "../core/studio/uploads/pictures.ts";
import { addTestModel, createCustomer, makeKey } from "../support/app.ts";
import { createFakeCore, untilAborted } from "../support/fake-core.ts";
import { createHttpCalls, type HttpCalls, PICTURE } from "../support/http-calls.ts";
import { createScriptedProvider, SMALL_OUTPUT } from "../support/providers.ts";
import { openS3Server } from "../support/s3-server.ts";
import { waitFor } from "../support/wait-for.ts";
import { startWholeService, type WholeService } from "../support/whole-service.ts";

export const NO_JOB = "job_00000000000000000000000000";
export const PRODUCT = "open-lamp";
export const HIDDEN_PRODUCT = "secret-lamp";
export const RESTYLE = { modality: "image" as const, model_slug: "restyle", prompt: "as ink" };
export const GLIDE = { modality: "video" as const, model_slug: "glide", prompt: "slowly" };
export const NO_WORKFLOW = "wfl_00000000000000000000000000";
export const NO_UPLOAD = "upl_00000000000000000000000000";
/** Two pictures, the second made of the first. */
export const STEPS = [
  { ...PICTURE, id: "first" },
  { ...RESTYLE, id: "second", params: { image: "step:first" } },
];
export const FILM = { modality: "video", model_slug: "film", prompt: "waves" };
export const IMPOSSIBLE = "what cannot be made";
const CALLBACK = { callback_url: "https://receiver.invalid/hook" };
/** The deadline of the gateway in front of a hanging core. */
const IMPATIENCE_MS = 300;

export type Fixture = {
  readonly service: WholeService;
  /** Keys of one account: one with write scope, and one with read scope. */
  readonly key: string;
  readonly readKey: string;
  /** Keys of other accounts. */
  readonly suspendedKey: string;
  readonly excludedKey: string;
  readonly poorKey: string;
  readonly waitingKey: string;
  /** Its spending limit is below the price of any job. */
  readonly thriftyKey: string;
  /** Its threshold requires an approval for everything. */
  readonly askingKey: string;
  /** All of its approvals so far were declined. */
  readonly decline: () => Promise<void>;
  /** Of an account at its limit of uploads. */
  readonly fullKey: string;
  /** Of an account near its limit of bytes. */
  readonly crowdedKey: string;
  readonly photo: Buffer<ArrayBuffer>;
  /** An upload of `key`, and a job that uses it. */
  readonly upload: UploadResource;
  readonly restyled: string;
  /** The URL of a picture above the size limit. */
  readonly largeFile: string;
  /** The URL of a picture for any account. */
  readonly smallFile: string;
  /** A completed video of `key`. */
  readonly video: string;
  /** Sends a file to a URL of the object store, of `key` unless another is given. */
  readonly sendDirect: (body: Buffer<ArrayBuffer>, key?: string) => Promise<UploadAddressResource>;
  /** A picture of `key` with a callback_url. */
  readonly ended: JobResource;
  /** The id of a workflow of `key`. */
  readonly workflow: string;
  /** Of an account whose slots are all taken by endless jobs: `running` with a callback_url is one of them, `reserved` waits. */
  readonly busy: { readonly key: string; readonly running: string; readonly reserved: string };
  /** The same service through faulty gateways: core is away, hangs, or has a bug; and one with the tightest rate limits. */
  readonly away: HttpCalls;
  readonly hung: HttpCalls;
  readonly broken: HttpCalls;
  readonly limited: HttpCalls;
  close(): Promise<void>;
};

export async function createFixture(): Promise<Fixture> {
  // Everything is ready immediately, except the clip, which never is and reports no cancellation.
  const provider = createScriptedProvider({
    cancel: async () => {},
    answer: ({ modality, prompt }, { signal }) => {
      if (prompt === FILM.prompt) return untilAborted(signal);
      if (prompt === IMPOSSIBLE) throw new ProviderError("provider_refused", "Nobody can make this.");
      return [modality === "audio" ? { ...SMALL_OUTPUT, mimeType: "audio/wav" } : SMALL_OUTPUT];
    },
  });
  const s3 = await openS3Server();
  const service = await startWholeService({ provider, env: { ...s3.env, ATELIER_UPLOADS_KEPT: "100" } });
  const { app } = service;
  const faults = await openFaultyGateways(service);
  await importRows(service.core, [row(PRODUCT), row(HIDDEN_PRODUCT, { status: "draft" })]);
  const { accountId, key } = await createCustomer(app);
  const made = await makeKey(app, accountId, { name: "reader", scope: "read" });
  const thrifty = await makeKey(app, accountId, { name: "thrifty", maxCredits: 1 });
  const asking = await makeKey(app, accountId, { name: "asking", confirmAbove: 0 });
  const [suspended, excluded, poor, waiting, full, crowded] = await Promise.all([
    createCustomer(app),
    createCustomer(app),
    createCustomer(app, { credits: 0 }),
    createCustomer(app),
    createCustomer(app),
    createCustomer(app),
  ]);
  await setAccountStatus(app, suspended.accountId, "suspended");
  await setPlan(app, excluded.accountId, "starter");
  await keepMany(app, full.accountId, { count: 100, bytes: 0 });
  await keepMany(app, crowded.accountId, { count: 1, bytes: app.config.uploadsKeptMb * 2 ** 20 });
  await addRestyle(app, RESTYLE);
  await addRestyle(app, GLIDE);
  const photo = Buffer.from(await picture());
  const files = await openFiles(photo);
  await accounts(app.mongo.db).updateOne({ _id: waiting.accountId }, { $set: { waiting: 250 } });
  const accepted = await service.generate(key, CALLBACK);
  const { result: upload } = (
    await service.call<{ result: UploadResource }>("/api/uploads", { key, method: "POST", body: photo })
  ).body;
  const restyled = await service.generate(key, { ...RESTYLE, params: { image: upload.upload_id } });
  const asked = { key, method: "POST", body: { steps: STEPS } };
  const ran = await service.call<{ result: { workflow_id: string } }>("/api/v1/connect/workflows", asked);
  const workflow = ran.body.result.workflow_id;
  const glided = await service.generate(key, { ...GLIDE, params: { image: upload.upload_id } });
  const video = glided.body.result.job_id;
  const [ended, busy] = await Promise.all([
    service.waitForEnd(key, accepted.body.result.job_id),
    fillSlots(service),
    waitFor("the product", async () => (await service.call(`/api/catalog/${PRODUCT}`)).status === 200),
    service.call(`/api/workflows/${workflow}?wait=60`, { key }),
    service.waitForEnd(key, video),
  ]);
  return {
    service,
    key,
    readKey: made.secret,
    suspendedKey: suspended.key,
    excludedKey: excluded.key,
    poorKey: poor.key,
    waitingKey: waiting.key,
    thriftyKey: thrifty.secret,
    askingKey: asking.secret,
    decline: async () => {
      const asked = await findApprovalsOf(app.mongo.db, accountId);
      for (const { confirmation_id: approvalId } of asked)
        await answerApproval(app, { accountId, approvalId }, false);
    },
    fullKey: full.key,
    crowdedKey: crowded.key,
    photo,
    upload,
    largeFile: `${files.url}/large.png`,
    smallFile: `${files.url}/small.png`,
    video,
    restyled: restyled.body.result.job_id,
    sendDirect: async (body, by = key) => {
      const asked = { key: by, method: "POST", body: { bytes: body.length } };
      const { result } = (await service.call<{ result: UploadAddressResource }>("/api/uploads/direct", asked))
        .body;
      await fetch(result.url, { method: result.method, body, headers: result.headers });
      return result;
    },
    ended,
    workflow,
    busy,
    away: await service.openEdge({ ATELIER_CORE_ADDRESS: `127.0.0.1:${await freePort()}` }),
    limited: await service.openEdge({
      ATELIER_RATE_LIMITS: "on",
      ATELIER_RATE_API: "1",
      ATELIER_RATE_GENERATE: "1",
      ATELIER_RATE_CATALOG: "1",
    }),
    hung: faults.hung,
    broken: faults.broken,
    close: async () => {
      await faults.close();
      await service.close();
      files.close();
      s3.close();
    },
  };
}

async function addRestyle(
  app: WholeService["app"],
  { model_slug, modality }: { model_slug: string; modality: Modality },
): Promise<void> {
  await addTestModel(app, {
    model_slug,
    modality,
    credits: 2,
    params_schema: {
      type: "object",
      properties: { image: { type: "string", format: "atelier-input", "x-accept": "image" } },
      additionalProperties: false,
    },
  });
  await waitFor("the model to be known", async () => (await app.models()).has(model_slug));
}

async function keepMany(
  app: WholeService["app"],
  accountId: string,
  { count, bytes }: { count: number; bytes: number },
): Promise<void> {
  const expires_at = new Date(Date.now() + 3_600_000);
  const upload = () => ({ _id: app.newId("upl"), account_id: accountId, facts: { bytes }, expires_at });
  await app.mongo.db
    .collection<ReturnType<typeof upload>>("uploads")
    .insertMany(Array.from({ length: count }, upload));
}

async function openFiles(small: Uint8Array): Promise<{ url: string; close(): void }> {
  const server = createHttpServer(({ url }, response) => {
    if (url === "/small.png") return void response.end(small);
    response.write(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"));
    response.end(Buffer.alloc(26 * 2 ** 20));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

/** The plan lets five jobs run in parallel. */
async function fillSlots(service: WholeService): Promise<Fixture["busy"]> {
  const { key } = await createCustomer(service.app);
  await addTestModel(service.app, {
    model_slug: "film",
    modality: "video",
    credits: 1,
    run_timeout_ms: 3_600_000,
  });
  const film = () => service.generate(key, { ...FILM, ...CALLBACK });
  const first = await waitFor("the model to be known", async () => {
    const answer = await film();
    return answer.status === 202 && answer;
  });
  await Promise.all(Array.from({ length: 4 }, film));
  await waitFor("all slots to be taken", async () => {
    const { body } = await service.call<{ result: { data: unknown[] } }>("/api/jobs?state=running", { key });
    return body.result.data.length === 5;
  });
  const last = await service.generate(key);
  return { key, running: first.body.result.job_id, reserved: last.body.result.job_id };
}

type FaultyGateways = { hung: HttpCalls; broken: HttpCalls; close(): Promise<void> };

async function openFaultyGateways({ config }: WholeService): Promise<FaultyGateways> {
  const open = new Set<Socket>();
  const mute = createServer((socket) => open.add(socket.on("error", () => {}))).listen(0, "127.0.0.1");
  await once(mute, "listening");
  const { port } = mute.address() as { port: number };
  const silent = createCoreClient({ address: `127.0.0.1:${port}`, serviceToken: async () => "none" });
  const log = createLog("silent", "test");
  const serve = async (core: CoreClient) => {
    const server = createServiceServer({ config, log });
    const limits = createRateLimits(config, createMetrics());
    const baseUrl = "https://generate.example.com";
    await server.register(gatewayRoutes, { core, config, limits, baseUrl, generationBaseUrl: baseUrl });
    return { calls: createHttpCalls(await server.listen({ host: "127.0.0.1", port: 0 })), server };
  };
  // A fake core without a result throws an unexpected error.
  const [hung, broken] = await Promise.all([serve(hurried(silent)), serve(createFakeCore().client)]);
  return {
    hung: hung.calls,
    broken: broken.calls,
    close: async () => {
      await Promise.all([hung.server.close(), broken.server.close()]);
      silent.close();
      for (const socket of open) socket.destroy();
      mute.close();
    },
  };
}

/** The same core with a short deadline. */
function hurried(core: CoreClient): CoreClient {
  type Call = (asked: object, options?: object) => unknown;
  const slices = Object.entries(core).map(([name, slice]) => [
    name,
    typeof slice === "function"
      ? slice
      : Object.fromEntries(
          Object.entries(slice as Record<string, Call>).map(([method, call]) => [
            method,
            (asked: object, options: object) => call(asked, { ...options, deadlineMs: IMPATIENCE_MS }),
          ]),
        ),
  ]);
  return Object.fromEntries(slices) as CoreClient;
}
