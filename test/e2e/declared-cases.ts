// How each declared response of an operation is provoked.
import { request, type RequestOptions } from "node:http";
import type { JobResource } from "../../proto/resources/job.ts";
import type { WorkflowResource } from "../../proto/resources/workflow.ts";
import { generateApiKey } from "../../runtime/keys/api-key.ts";
import { createCustomer } from "../support/app.ts";
import { type Answer, type CallInit, GENERATE, type HttpCalls, PICTURE } from "../support/http-calls.ts";
import { waitFor } from "../support/wait-for.ts";
import {
  FILM,
  GLIDE,
  IMPOSSIBLE,
  NO_JOB,
  NO_UPLOAD,
  NO_WORKFLOW,
  PRODUCT,
  RESTYLE,
  STEPS,
  type Fixture,
} from "./declared-world.ts";

type Case = (world: Fixture) => Promise<Answer<unknown>>;
/** By error code, or by a success's status. */
type Cases = Readonly<Record<string, Case>>;
/** The operation's successful request, with a case's changes. */
type Send = (world: Fixture, change?: CallInit & { on?: HttpCalls }) => Promise<Answer<unknown>>;

function sends(path: string | ((world: Fixture) => string), { method = "GET", body }: CallInit = {}): Send {
  return (world, { on = world.service, ...change } = {}) =>
    on.call(typeof path === "string" ? path : path(world), {
      key: world.key,
      method,
      ...(body !== undefined && { body }),
      ...change,
    });
}

const gets =
  (path: string | ((world: Fixture) => string), init: CallInit = {}): Case =>
  (world) =>
    sends(path, init)(world);

/** The responses of any operation. */
const any = (send: Send): Cases => ({
  internal: (world) => send(world, { on: world.broken }),
  rate_limited: async (world) => {
    const { key } = await createCustomer(world.service.app);
    const first = await send(world, { on: world.limited, key });
    return first.status === 429 ? first : send(world, { on: world.limited, key });
  },
});

const coreAway = (send: Send): Cases => ({
  service_unavailable: (world) => send(world, { on: world.away }),
  deadline_exceeded: (world) => send(world, { on: world.hung }),
});

const catalogAway = (send: Send): Cases => ({
  catalog_unavailable: (world) => send(world, { on: world.away }),
});

const keyed = (send: Send): Cases => ({
  missing_key: (world) => send(world, { headers: { authorization: null } }),
  invalid_key: (world) => send(world, { key: generateApiKey("gen") }),
  plan_excludes_api: (world) => send(world, { key: world.excludedKey }),
  account_suspended: (world) => send(world, { key: world.suspendedKey }),
});

const withBody = (send: Send): Cases => ({
  invalid_json: (world) => send(world, { body: "{" }),
  body_too_large: (world) => send(world, { body: "x".repeat(64 * 1024 + 1) }),
  unsupported_media_type: (world) => send(world, { body: "{}", headers: { "content-type": "text/plain" } }),
});

const withFile = (send: Send): Cases => ({
  unsupported_media_type: (world) => send(world, { headers: { "content-type": "nothing" } }),
});

const writing = (send: Send): Cases => ({
  insufficient_scope: (world) => send(world, { key: world.readKey }),
  ...withBody(send),
});

const twoKeys =
  (send: Send): Case =>
  (world) =>
    send(world, { headers: { "x-api-key": generateApiKey("gen") } });

/** With a key of the account. */
const owned = (send: Send): Cases => ({ ...any(send), ...coreAway(send), ...keyed(send) });
const reading = (send: Send, invalid_request = twoKeys(send)): Cases => ({
  ...owned(send),
  200: send,
  invalid_request,
});
const changing = (send: Send): Cases => ({
  ...owned(send),
  ...writing(send),
  invalid_request: twoKeys(send),
});
const inCatalog = (send: Send, invalid_request: Case): Cases => ({
  ...any(send),
  ...catalogAway(send),
  200: send,
  invalid_request,
});
/** Without a key. */
const open = (send: Send, invalid_request: Case): Cases => ({
  ...any(send),
  ...coreAway(send),
  200: send,
  invalid_request,
});

const confirmed = (send: Send): Cases => ({
  confirmation_required: (world) => send(world, { key: world.askingKey }),
  confirmation_declined: async (world) => {
    await send(world, { key: world.askingKey });
    await world.decline();
    return send(world, { key: world.askingKey });
  },
});

const unchanged =
  (send: Send): Case =>
  async (world) => {
    const { headers } = await send(world);
    return send(world, { headers: { "if-none-match": headers.get("etag") } });
  };

/** Uses Node's own client, because fetch always sends a Host. */
const withoutHost =
  (path: string, method = "GET"): Case =>
  ({ service: { url } }) =>
    sendsRaw(url + path, { method, setHost: false });

/** The head of a request whose body never comes. */
const announcing =
  (path: string, bytes: number): Case =>
  ({ service: { url } }) =>
    sendsRaw(url + path, { method: "POST", headers: { "content-length": bytes } });

function sendsRaw(url: string, options: RequestOptions): Promise<Answer<unknown>> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: false, ...options }, async (response) => {
      const text = (await response.setEncoding("utf8").toArray()).join("");
      const headers = new Headers(response.headers as Record<string, string>);
      resolve({ status: response.statusCode ?? 0, headers, text, body: JSON.parse(text) });
      sent.destroy();
    });
    sent.on("error", reject);
    if (options.headers) sent.flushHeaders();
    else sent.end();
  });
}

const catalogList = sends("/api/catalog");
const catalogProduct = sends(`/api/catalog/${PRODUCT}`);
const catalogChanges = sends("/api/catalog-changes");
const feedMetadata = sends("/feeds/acp/metadata.json");
const generate = sends(GENERATE, { method: "POST", body: PICTURE });
const estimate = sends("/api/v1/connect/estimate", { method: "POST", body: PICTURE });
const me = sends("/api/me");
const job = sends(({ ended }) => `/api/jobs/${ended.job_id}`);
/** Its webhook changes nothing, because it has none. */
const jobUntold = sends(({ video }) => `/api/jobs/${video}`);
const jobs = sends("/api/jobs");
const cancel = sends(({ ended }) => `/api/jobs/${ended.job_id}/cancel`, { method: "POST" });
const FLOWS = "/api/v1/connect/workflows";
type Made = { result: { workflow_id: string } };
const flow = sends(FLOWS, { method: "POST", body: { steps: STEPS } });
const flowWith = (world: Fixture, change: object, key = world.key) =>
  flow(world, { key, body: { steps: [STEPS[0], { ...STEPS[1], ...change }] } });
const workflow = sends(({ workflow: id }) => `/api/workflows/${id}`);
const workflows = sends("/api/workflows");
const cancelFlow = sends(({ workflow: id }) => `/api/workflows/${id}/cancel`, { method: "POST" });
const events = sends(({ ended }) => `/api/jobs/${ended.job_id}/events`);
const output = sends(({ ended }) => `/api/jobs/${ended.job_id}/outputs/${ended.outputs[0]?.output_id}`);
const input = sends(({ restyled }) => `/api/jobs/${restyled}/inputs/image`);
const upload = sends("/api/uploads", { method: "POST", body: "no file that is known here" });
const uploadOf = sends(({ upload: { upload_id } }) => `/api/uploads/${upload_id}`);
const deleteUpload = sends(`/api/uploads/${NO_UPLOAD}`, { method: "DELETE" });
const address = sends("/api/uploads/direct", { method: "POST", body: { bytes: 100 } });
const sendUpload = sends(`/api/uploads/${NO_UPLOAD}`, { method: "PUT", body: "no file" });
const finish = sends(`/api/uploads/${NO_UPLOAD}/finish`, { method: "POST" });
const restyle = (world: Fixture, image: unknown, key = world.key) =>
  generate(world, { key, body: { ...RESTYLE, params: { image } } });
/** For a signed URL of the service. */
async function sendTo(
  world: Fixture,
  body: Uint8Array | string,
  { bytes = 1_000_000, key = world.key } = {},
): Promise<Answer<unknown>> {
  const { structuredContent } = await world.service.tool(key, "create_upload", { bytes });
  const { pathname, search } = new URL(String(structuredContent?.["url"]));
  return world.service.call(pathname + search, { method: "PUT", body });
}
/** Through the object store. */
async function finishOf(
  world: Fixture,
  body: Buffer<ArrayBuffer>,
  key = world.key,
): Promise<Answer<unknown>> {
  const { upload_id } = await world.sendDirect(body, key);
  return world.service.call(`/api/uploads/${upload_id}/finish`, { key, method: "POST" });
}
const images = sends("/v1/images/generations", {
  method: "POST",
  body: { model: "picture", prompt: "a lamp" },
});
const speech = sends("/v1/audio/speech", { method: "POST", body: { model: "tune", input: "Good evening." } });
const edits: Send = (world, { body = {}, ...change } = {}) =>
  sends("/v1/images/edits", { method: "POST" })(world, {
    ...change,
    body:
      typeof body === "object"
        ? { model: "restyle", prompt: "as ink", image: world.smallFile, ...body }
        : body,
  });
const video: Send = (world, { body = {}, ...change } = {}) =>
  sends("/v1/videos", { method: "POST" })(world, {
    ...change,
    body: typeof body === "object" ? { model: "glide", prompt: "slowly", ...body } : body,
  });
const videos = sends("/v1/videos");
const videoOf = sends((world) => `/v1/videos/${world.video}`);
const videoFile = sends((world) => `/v1/videos/${world.video}/content`);
const deleteVideo: Send = async (world, change) => {
  const { job_id } = await world.service.make(world.key, GLIDE);
  return sends(`/v1/videos/${job_id}`, { method: "DELETE" })(world, change);
};
const noVideo = (path = ""): Case => gets(`/v1/videos/${NO_JOB}${path}`);
const notEnded =
  (path = "", method = "GET"): Case =>
  ({ service, busy: { key, running } }) =>
    service.call(`/v1/videos/${running}${path}`, { key, method });
/** For a file that a request names. */
const ofFiles = (sendFile: (world: Fixture, file: unknown, key?: string) => ReturnType<Case>): Cases => ({
  upload_not_found: (world) => sendFile(world, NO_UPLOAD),
  unsupported_input: (world) => sendFile(world, `${world.service.url}/openapi.json`),
  upload_too_large: (world) => sendFile(world, world.largeFile),
  upload_limit_reached: (world) => sendFile(world, world.smallFile, world.fullKey),
  input_unreachable: (world) => sendFile(world, "http://127.0.0.1:1/a.png"),
});
const inField =
  (send: Send, field: string) =>
  (world: Fixture, file: unknown, key = world.key) =>
    send(world, { body: { [field]: file }, key });
const ofPicture = (send: Send): Cases => {
  const withChange =
    (change: object): Case =>
    (world) =>
      send(world, { body: { ...PICTURE, ...change } });
  return {
    invalid_request: withChange({ prompt: "" }),
    spend_limit_reached: withChange({ max_credits: 1 }),
    model_not_available: withChange({ model_slug: "nothing" }),
    modality_mismatch: withChange({ modality: "audio" }),
    callback_url_refused: withChange({ callback_url: "https://10.0.0.1/" }),
  };
};
const openAiModels = sends("/v1/models");
/** Both OpenAI operations that generate; `text` is the field of the prompt. */
const making = (send: Send, text: "prompt" | "input", otherModel: string): Cases => ({
  ...changing(send),
  ...confirmed(send),
  200: send,
  invalid_request: (world) => send(world, { body: { [text]: "" } }),
  insufficient_credits: (world) => send(world, { key: world.poorKey }),
  spend_limit_reached: (world) => send(world, { key: world.thriftyKey }),
  model_not_available: (world) => send(world, { body: { model: "nothing", [text]: "a lamp" } }),
  modality_mismatch: (world) => send(world, { body: { model: otherModel, [text]: "a lamp" } }),
  idempotency_mismatch: async (world) => {
    const headers = { "idempotency-key": `declared-${text}` };
    await send(world, { headers });
    return send(world, { headers, body: { [text]: "something else" } });
  },
  queue_full: (world) => send(world, { key: world.waitingKey }),
  generation_failed: (world) => send(world, { body: { [text]: IMPOSSIBLE } }),
});
const feedCases = (path: string): Cases => {
  const feed = sends(path);
  return {
    ...inCatalog(feed, gets(`${path}?shard=2&of=1`)),
    304: unchanged(feed),
  };
};
const without = (cases: Cases, name: string): Cases =>
  Object.fromEntries(Object.entries(cases).filter(([one]) => one !== name));
/** A failed video has no file. */
const notFoundFile: Case = async (world) => {
  const { job_id } = await world.service.make(world.key, { ...GLIDE, prompt: IMPOSSIBLE });
  return world.service.call(`/v1/videos/${job_id}/content`, { key: world.key });
};
const models = sends("/api/models");
const model = sends(`/api/models/${PICTURE.model_slug}`);
const verify = sends(`/api/outputs/verify?sha256=${"0".repeat(64)}`);
const verifyFile = sends("/api/outputs/verify", { method: "POST", body: "no file that is known here" });
const plans = sends("/api/plans");
const receipt = sends(({ ended }) => `/api/jobs/${ended.job_id}/receipt`);
const receiptKeys = sends("/.well-known/jwks.json");
const balance = sends("/api/credits/balance");
const logProof = sends("/api/credits/proof");
const ledger = sends("/api/credits/ledger");
const callbacks = sends(({ ended }) => `/api/jobs/${ended.job_id}/callbacks`);
const deliveries = sends("/api/callbacks");
const accountEvents = sends("/api/events");
const testEvent = sends("/api/callbacks/test", {
  method: "POST",
  body: { callback_url: "https://receiver.invalid/hook" },
});
const redeliver = sends(({ ended }) => `/api/jobs/${ended.job_id}/callbacks/redeliver`, { method: "POST" });

/** By operation. Each case is independent of the others, so that all can run in parallel. */
export const CASES: Readonly<Record<string, Cases>> = {
  listCatalogProducts: {
    ...inCatalog(catalogList, gets("/api/catalog?page=0")),
    304: unchanged(catalogList),
  },
  getCatalogProduct: {
    ...inCatalog(catalogProduct, gets("/api/catalog/%ZZ")),
    304: unchanged(catalogProduct),
    product_not_found: gets("/api/catalog/nothing"),
  },
  listCatalogChanges: inCatalog(catalogChanges, gets("/api/catalog-changes?since=-1")),
  getGoogleFeed: feedCases("/feeds/google.xml"),
  getGoogleTextFeed: feedCases("/feeds/google.tsv"),
  getAcpFeed: feedCases("/feeds/acp/products.jsonl"),
  getAcpFeedMetadata: inCatalog(feedMetadata, gets("/feeds/acp/%ZZ")),
  connectGenerate: {
    ...changing(generate),
    ...confirmed(generate),
    200: (world) => generate(world, { headers: { prefer: "wait=60" } }),
    202: generate,
    ...ofPicture(generate),
    insufficient_credits: (world) => generate(world, { key: world.poorKey }),
    idempotency_mismatch: async (world) => {
      const headers = { "idempotency-key": "declared" };
      await generate(world, { headers });
      return generate(world, { headers, body: { ...PICTURE, prompt: "something else" } });
    },
    queue_full: (world) => generate(world, { key: world.waitingKey }),
    ...ofFiles(restyle),
  },
  connectEstimate: {
    ...owned(estimate),
    ...withBody(estimate),
    200: (world) => estimate(world, { key: world.readKey }),
    ...ofPicture(estimate),
  },
  openAiCreateImages: making(images, "prompt", "tune"),
  openAiCreateSpeech: making(speech, "input", "picture"),
  openAiEditImages: { ...making(edits, "prompt", "tune"), ...ofFiles(inField(edits, "image")) },
  openAiCreateVideo: {
    ...without(making(video, "prompt", "tune"), "generation_failed"),
    ...ofFiles(inField(video, "input_reference")),
  },
  openAiListVideos: reading(videos, gets("/v1/videos?limit=0")),
  openAiGetVideo: {
    ...reading(videoOf),
    job_not_found: noVideo(),
  },
  openAiGetVideoContent: {
    ...reading(videoFile),
    206: (world) => videoFile(world, { headers: { range: "bytes=0-0" } }),
    304: unchanged(videoFile),
    not_found: notFoundFile,
    job_not_found: noVideo("/content"),
    job_not_ended: notEnded("/content"),
    range_not_satisfiable: (world) => videoFile(world, { headers: { range: "bytes=100000-" } }),
  },
  openAiDeleteVideo: {
    ...changing(deleteVideo),
    200: deleteVideo,
    job_not_found: gets(`/v1/videos/${NO_JOB}`, { method: "DELETE" }),
    job_not_ended: notEnded("", "DELETE"),
  },
  openAiListModels: reading(openAiModels),
  getMe: {
    ...owned(me),
    200: (world) => me(world, { key: world.readKey }),
    invalid_request: twoKeys(me),
  },
  getJob: {
    ...reading(job, gets(`/api/jobs/${NO_JOB}?wait=61`)),
    304: unchanged(jobUntold),
    job_not_found: gets(`/api/jobs/${NO_JOB}`),
  },
  getReceipt: {
    ...reading(receipt),
    job_not_found: gets(`/api/jobs/${NO_JOB}/receipt`),
  },
  listReceiptKeys: open(receiptKeys, withoutHost("/.well-known/jwks.json")),
  listJobs: reading(jobs, gets("/api/jobs?limit=0")),
  cancelJob: {
    ...changing(cancel),
    200: ({ service, busy: { key, reserved } }) =>
      service.call(`/api/jobs/${reserved}/cancel`, { key, method: "POST" }),
    202: async ({ service }) => {
      const { key } = await createCustomer(service.app);
      const { job_id } = (await service.generate(key, FILM)).body.result;
      await waitFor("the film to run", async () => {
        const { body } = await service.call<{ result: JobResource }>(`/api/jobs/${job_id}`, { key });
        return body.result.state === "running";
      });
      return service.call(`/api/jobs/${job_id}/cancel`, { key, method: "POST" });
    },
    job_not_found: gets(`/api/jobs/${NO_JOB}/cancel`, { method: "POST" }),
    job_not_cancellable: cancel,
  },
  runWorkflow: {
    ...changing(flow),
    ...confirmed(flow),
    202: flow,
    invalid_request: (world) => flowWith(world, { after: ["second"] }),
    insufficient_credits: (world) => flow(world, { key: world.poorKey }),
    spend_limit_reached: (world) => flow(world, { body: { steps: STEPS, max_credits: 1 } }),
    model_not_available: (world) => flowWith(world, { model_slug: "nothing" }),
    modality_mismatch: (world) => flowWith(world, { modality: "audio" }),
    callback_url_refused: (world) =>
      flow(world, { body: { steps: STEPS, callback_url: "https://10.0.0.1/" } }),
    idempotency_mismatch: async (world) => {
      const headers = { "idempotency-key": "declared-flow" };
      await flow(world, { headers });
      return flow(world, { headers, body: { steps: STEPS, metadata: { another: "one" } } });
    },
    queue_full: (world) => flow(world, { key: world.waitingKey }),
    ...ofFiles((world, image, key) => flowWith(world, { params: { image } }, key)),
  },
  getWorkflow: {
    ...reading(workflow, gets(`/api/workflows/${NO_WORKFLOW}?wait=61`)),
    304: unchanged(workflow),
    workflow_not_found: gets(`/api/workflows/${NO_WORKFLOW}`),
  },
  listWorkflows: reading(workflows, gets("/api/workflows?limit=0")),
  cancelWorkflow: {
    ...changing(cancelFlow),
    200: async ({ service, busy: { key } }) => {
      // All slots of the account are taken, so none of its steps starts.
      const { body } = await service.call<Made>(FLOWS, { key, method: "POST", body: { steps: STEPS } });
      return service.call(`/api/workflows/${body.result.workflow_id}/cancel`, { key, method: "POST" });
    },
    202: async ({ service }) => {
      const { key } = await createCustomer(service.app);
      const steps = [
        { ...FILM, id: "film" },
        { ...STEPS[0], after: ["film"] },
      ];
      const { body } = await service.call<Made>(FLOWS, { key, method: "POST", body: { steps } });
      await waitFor("the film to run", async () => {
        const path = `/api/workflows/${body.result.workflow_id}`;
        const { result } = (await service.call<{ result: WorkflowResource }>(path, { key })).body;
        return result.steps[0]?.state === "running";
      });
      return service.call(`/api/workflows/${body.result.workflow_id}/cancel`, { key, method: "POST" });
    },
    workflow_not_found: gets(`/api/workflows/${NO_WORKFLOW}/cancel`, { method: "POST" }),
    workflow_not_cancellable: cancelFlow,
  },
  watchJob: {
    ...reading(events),
    204: (world) =>
      world.service.call(`/api/jobs/${world.ended.job_id}/events?after=${world.ended.events.at(-1)?.seq}`, {
        key: world.key,
      }),
    invalid_request: gets(`/api/jobs/${NO_JOB}/events?after=-1`),
    job_not_found: gets(`/api/jobs/${NO_JOB}/events`),
  },
  getOutput: {
    ...reading(output),
    206: (world) => output(world, { headers: { range: "bytes=0-0" } }),
    304: unchanged(output),
    not_found: ({ service, key, ended }) =>
      service.call(`/api/jobs/${ended.job_id}/outputs/out_none`, { key }),
    job_not_found: gets("/api/jobs/a%20b/outputs/out_none"),
    range_not_satisfiable: (world) => output(world, { headers: { range: "bytes=1000-" } }),
  },
  getInput: {
    ...reading(input),
    206: (world) => input(world, { headers: { range: "bytes=0-0" } }),
    304: unchanged(input),
    not_found: ({ service, key, ended }) => service.call(`/api/jobs/${ended.job_id}/inputs/image`, { key }),
    job_not_found: gets(`/api/jobs/${NO_JOB}/inputs/image`),
    range_not_satisfiable: (world) => input(world, { headers: { range: "bytes=100000-" } }),
  },
  createUpload: {
    ...owned(upload),
    ...withFile(upload),
    201: (world) => upload(world, { body: world.photo }),
    invalid_request: twoKeys(upload),
    insufficient_scope: (world) => upload(world, { key: world.readKey }),
    unsupported_input: upload,
    upload_too_large: (world) =>
      upload(world, { body: Buffer.concat([world.photo, Buffer.alloc(25 * 2 ** 20)]) }),
    upload_limit_reached: (world) => upload(world, { key: world.fullKey }),
  },
  sendUpload: {
    ...owned(sendUpload),
    ...withFile(sendUpload),
    201: (world) => sendTo(world, world.photo),
    invalid_request: twoKeys(sendUpload),
    insufficient_scope: (world) => sendUpload(world, { key: world.readKey }),
    upload_not_found: sendUpload,
    unsupported_input: (world) => sendTo(world, "no file that is known here"),
    upload_too_large: (world) => sendTo(world, world.photo, { bytes: 10 }),
    upload_limit_reached: (world) => sendTo(world, world.photo, { key: world.crowdedKey }),
  },
  getUpload: {
    ...reading(uploadOf),
    upload_not_found: gets(`/api/uploads/${NO_UPLOAD}`),
  },
  deleteUpload: {
    ...changing(deleteUpload),
    204: async (world) => {
      const sent = (await upload(world, { body: world.photo })) as Answer<{ result: { upload_id: string } }>;
      return world.service.call(`/api/uploads/${sent.body.result.upload_id}`, {
        key: world.key,
        method: "DELETE",
      });
    },
    upload_not_found: deleteUpload,
  },
  createUploadAddress: {
    ...changing(address),
    201: address,
    invalid_request: (world) => address(world, { body: { bytes: 0 } }),
    upload_limit_reached: (world) => address(world, { key: world.fullKey }),
  },
  finishUpload: {
    ...changing(finish),
    200: (world) => finishOf(world, world.photo),
    upload_not_found: finish,
    unsupported_input: (world) => finishOf(world, Buffer.from("no file that is known here")),
    upload_limit_reached: (world) => finishOf(world, world.photo, world.crowdedKey),
    upload_too_large: (world) => finishOf(world, Buffer.concat([world.photo, Buffer.alloc(25 * 2 ** 20)])),
  },
  listModels: reading(models, gets("/api/models?modality=text")),
  getModel: {
    ...reading(model),
    not_found: gets("/api/models/no-such-model"),
  },
  verifyOutput: open(verify, gets("/api/outputs/verify?sha256=12")),
  verifyFile: {
    ...any(verifyFile),
    rate_limited: async (world) => {
      // As many as an address may send in a minute.
      await Promise.all(Array.from({ length: 30 }, () => verifyFile(world, { on: world.limited })));
      return verifyFile(world, { on: world.limited });
    },
    ...withFile(verifyFile),
    ...coreAway(verifyFile),
    200: (world) => verifyFile(world, { body: world.photo }),
    invalid_request: withoutHost("/api/outputs/verify", "POST"),
    unsupported_input: verifyFile,
    upload_too_large: announcing("/api/outputs/verify", 2 ** 30),
  },
  listPlans: open(plans, withoutHost("/api/plans")),
  getBalance: reading(balance),
  getLogProof: reading(logProof),
  listLedger: reading(ledger, gets("/api/credits/ledger?limit=0")),
  listCallbacks: {
    ...reading(callbacks),
    job_not_found: gets(`/api/jobs/${NO_JOB}/callbacks`),
  },
  listDeliveries: reading(deliveries, gets("/api/callbacks?status=lost")),
  listAccountEvents: reading(accountEvents, gets("/api/events?after=-1")),
  sendTestEvent: {
    ...changing(testEvent),
    200: testEvent,
    invalid_request: (world) => testEvent(world, { body: { callback_url: "nowhere" } }),
    callback_url_refused: (world) => testEvent(world, { body: { callback_url: "https://10.0.0.1/" } }),
  },
  redeliverCallback: {
    ...changing(redeliver),
    202: redeliver,
    invalid_request: async (world) => {
      const { body } = await world.service.generate(world.busy.key);
      const path = `/api/jobs/${body.result.job_id}/callbacks/redeliver`;
      return world.service.call(path, { key: world.busy.key, method: "POST" });
    },
    job_not_found: gets(`/api/jobs/${NO_JOB}/callbacks/redeliver`, { method: "POST" }),
    job_not_ended: ({ service, busy: { key, running } }) =>
      service.call(`/api/jobs/${running}/callbacks/redeliver`, { key, method: "POST" }),
  },
};
