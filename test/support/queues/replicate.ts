// A double of Replicate's predictions, as documented: https://replicate.com/docs/reference/http and …/docs/topics/webhooks.
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import type { Dialect, Queue, QueuedRequest, QueueOptions } from "./queue.ts";
import { startQueue } from "./queue.ts";

export const REPLICATE_TOKEN = "r8_test_token";
const STATUS = {
  queued: "starting",
  running: "processing",
  made: "succeeded",
  failed: "failed",
  cancelled: "canceled",
} as const;

export type ReplicateQueue = Queue & {
  readonly webhookSecret: string;
  /** Its signature, for a webhook that a test sends itself. */
  sign(body: string, atSeconds?: number): Record<string, string>;
};

export async function startReplicateQueue(
  options: QueueOptions & { webhookSecret?: string } = {},
): Promise<ReplicateQueue> {
  const webhookSecret = options.webhookSecret ?? `whsec_${randomBytes(24).toString("base64")}`;
  const key = Buffer.from(webhookSecret.slice("whsec_".length), "base64");
  const sign = (body: string, atSeconds = Math.floor(Date.now() / 1000)) => {
    const id = `msg_${randomUUID()}`;
    const signature = createHmac("sha256", key).update(`${id}.${atSeconds}.${body}`).digest("base64");
    return {
      "webhook-id": id,
      "webhook-timestamp": String(atSeconds),
      "webhook-signature": `v1,${signature}`,
    };
  };
  const queue = await startQueue({ ...DIALECT, sign: (body) => sign(body) }, options);
  return { ...queue, webhookSecret, sign };
}

const DIALECT: Omit<Dialect, "sign"> = {
  route: (method, { pathname }) => {
    const [, model] = /^\/v1\/models\/([^/]+\/[^/]+)\/predictions$/.exec(pathname) ?? [];
    if (method === "POST" && (model !== undefined || pathname === "/v1/predictions"))
      return { step: "submit", model: model ?? "" };
    const [, id, cancel] = /^\/v1\/predictions\/([\w-]+)(\/cancel)?$/.exec(pathname) ?? [];
    if (id === undefined) return undefined;
    if (cancel) return method === "POST" ? { step: "cancel", id } : undefined;
    return method === "GET" ? { step: "status", id } : undefined;
  },
  isAllowed: ({ authorization }) => authorization === `Bearer ${REPLICATE_TOKEN}`,
  webhookOf: (_url, { webhook }) => (typeof webhook === "string" ? webhook : undefined),
  promptOf: ({ input }) => (input as { prompt?: unknown } | undefined)?.prompt,
  answer: (step, request, world) => {
    if (!request)
      return { status: 404, body: { title: "Not found", detail: "Prediction not found", status: 404 } };
    const state =
      step === "cancel" && request.state !== "made" && request.state !== "failed"
        ? "cancelled"
        : request.state;
    return { status: step === "submit" ? 201 : 200, body: prediction({ ...request, state }, world) };
  },
  webhook: (request, world) => prediction(request, world),
};

function prediction(request: QueuedRequest, { origin, files }: { origin: string; files: string[] }) {
  const address = `${origin}/v1/predictions/${request.id}`;
  return {
    id: request.id,
    model: request.model,
    version: "hidden",
    input: request.body["input"],
    status: STATUS[request.state],
    output: request.state === "made" ? (files.length === 1 ? files[0] : files) : null,
    error: request.state === "failed" ? (request.error ?? "Prediction failed.") : null,
    logs: "",
    metrics: request.state === "made" ? { predict_time: 1.5 } : {},
    urls: { get: address, cancel: `${address}/cancel`, stream: `${origin}/v1/streams/${request.id}` },
  };
}
