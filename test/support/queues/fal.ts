// A double of fal's queue, as documented: https://fal.ai/docs/documentation/model-apis/inference/queue and …/webhooks.
import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import type { Dialect, Queue, QueueOptions, QueuedRequest } from "./queue.ts";
import { startQueue } from "./queue.ts";

export const FAL_KEY = "fal-key-id:fal-key-secret";
const STATUS = { queued: "IN_QUEUE", running: "IN_PROGRESS" } as const;

export type FalQueue = Queue & {
  /** Its signature, for a webhook that a test sends itself. */
  sign(body: string, requestId: string, atSeconds?: number): Record<string, string>;
};

export async function startFalQueue(options: QueueOptions = {}): Promise<FalQueue> {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const signIt = (body: string, requestId: string, atSeconds = Math.floor(Date.now() / 1000)) => {
    const facts = [requestId, "user-1", String(atSeconds), createHash("sha256").update(body).digest("hex")];
    return {
      "x-fal-webhook-request-id": requestId,
      "x-fal-webhook-user-id": "user-1",
      "x-fal-webhook-timestamp": String(atSeconds),
      "x-fal-webhook-signature": sign(null, Buffer.from(facts.join("\n")), privateKey).toString("hex"),
    };
  };
  const keys = { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", use: "sig" }] };
  const queue = await startQueue(
    { ...DIALECT, answer: answerWith(keys), sign: (body, { id }) => signIt(body, id) },
    options,
  );
  return { ...queue, sign: signIt };
}

const DIALECT: Omit<Dialect, "answer" | "sign"> = {
  route: (method, { pathname }) => {
    if (pathname === "/.well-known/jwks.json") return { step: "keys" };
    // The path under an app's name starts requests; all other calls go to the app.
    const [, id, last] = /^\/[^/]+\/[^/]+\/requests\/([\w-]+)(?:\/(status|cancel))?$/.exec(pathname) ?? [];
    if (id === undefined) return method === "POST" ? { step: "submit", model: pathname.slice(1) } : undefined;
    if (last === "cancel") return method === "PUT" ? { step: "cancel", id } : undefined;
    if (method !== "GET") return undefined;
    return { step: last === "status" ? "status" : "result", id };
  },
  isAllowed: ({ authorization }) => authorization === `Key ${FAL_KEY}`,
  webhookOf: ({ searchParams }) => searchParams.get("fal_webhook") ?? undefined,
  promptOf: ({ prompt }) => prompt,
  webhook: (request, world) => ({
    request_id: request.id,
    gateway_request_id: randomUUID(),
    ...(request.state === "made"
      ? { status: "OK", payload: payloadOf(world.files) }
      : { status: "ERROR", error: "Invalid status code: 422", payload: detailOf(request) }),
  }),
};

function answerWith(keys: unknown): Dialect["answer"] {
  return (step, request, { origin, files }) => {
    if (step === "keys") return { status: 200, body: keys };
    if (!request) return { status: 404, body: { status: "NOT_FOUND" } };
    const app = request.model.split("/").slice(0, 2).join("/");
    const address = `${origin}/${app}/requests/${request.id}`;
    const addresses = {
      request_id: request.id,
      response_url: address,
      status_url: `${address}/status`,
      cancel_url: `${address}/cancel`,
    };
    const hasEnded = request.state !== "queued" && request.state !== "running";
    switch (step) {
      case "submit":
        return { status: 200, body: { status: "IN_QUEUE", queue_position: 2, ...addresses } };
      case "cancel":
        return hasEnded
          ? { status: 400, body: { status: "ALREADY_COMPLETED" } }
          : { status: 202, body: { status: "CANCELLATION_REQUESTED" } };
      case "status":
        return hasEnded
          ? { status: 200, body: { status: "COMPLETED", ...addresses, ...failureOf(request) } }
          : {
              status: 202,
              body: {
                status: STATUS[request.state === "running" ? "running" : "queued"],
                ...(request.state === "queued" && { queue_position: 2 }),
                ...addresses,
              },
            };
      default:
        if (!hasEnded) return { status: 400, body: { detail: "Request is still in progress" } };
        return request.state === "made"
          ? { status: 200, body: payloadOf(files) }
          : { status: 422, body: detailOf(request) };
    }
  };
}

function payloadOf(files: string[]) {
  const images = files.map((url) => ({ url, content_type: "image/png", width: 1, height: 1 }));
  return { images, seed: 42, has_nsfw_concepts: [false] };
}

function failureOf({ state, error }: QueuedRequest) {
  if (state === "cancelled") return { error: "Request was cancelled", error_type: "client_cancelled" };
  return state === "failed" ? { error: error ?? "Invalid status code: 422", error_type: "bad_request" } : {};
}

function detailOf({ error }: QueuedRequest) {
  return { detail: [{ loc: ["body", "prompt"], msg: "not accepted", type: error ?? "value_error" }] };
}
