// Reads the message that a queue sends when a call has ended: checks, if the provider signs, that it comes from the provider, and finds out
// which call it means.
import {
  createHash,
  createHmac,
  createPublicKey,
  type KeyObject,
  timingSafeEqual,
  verify,
} from "node:crypto";
import { type PollCall, type Provider, type WebhookDelivery, WebhookRefused } from "../provider.ts";
import type { Queue } from "./ask.ts";
import { readAll } from "./read-answer.ts";
import { fillText, isObject, modelRoot } from "./template.ts";

/** How far a signed time may differ from this machine's: an older message may be a recorded copy. */
const WINDOW_SECONDS = 300;
const MAX_KEYS_BYTES = 256 * 1024;
/** Keys are fetched again if none of the known ones matches, but not for every message that anyone sends. */
const KEYS_KEPT_MS = 60 * 60_000;
const KEYS_ASKED_AGAIN_MS = 60_000;

type Check = (delivery: WebhookDelivery, signal: AbortSignal) => Promise<boolean>;

/** Undefined if the provider sends no webhooks. Throws if the signing secret is malformed. */
export function createWebhookCheck(
  name: string,
  queue: Queue,
  now: () => Date,
): NonNullable<Provider["webhook"]> | undefined {
  const { webhook } = queue.entry;
  if (!webhook) return undefined;
  const isGenuine = createCheck(name, queue, now);
  return async (delivery, { request, signal }: PollCall) => {
    if (!(await isGenuine(delivery, signal))) throw new WebhookRefused();
    const told = parse(delivery.body);
    if (!isObject(told)) throw new WebhookRefused();
    const values = { ...told, model: request.model, modelRoot: modelRoot(request.model) };
    const fields = Object.entries(webhook.handle).map(([field, text]) => [field, fillText(text, values)]);
    return fields.every(([, value]) => value !== undefined)
      ? JSON.stringify(Object.fromEntries(fields))
      : undefined;
  };
}

function createCheck(name: string, queue: Queue, now: () => Date): Check {
  const signature = queue.entry.webhook?.signature;
  const isRecent = (seconds: string | undefined): boolean =>
    /^\d{1,12}$/.test(seconds ?? "") && Math.abs(now().getTime() / 1000 - Number(seconds)) <= WINDOW_SECONDS;
  switch (signature?.kind) {
    case undefined:
      return async () => true;
    case "standard": {
      // There are two, separated by a comma, while the provider replaces one with the other.
      const secrets = signature.secret
        .split(",")
        .map((text) => Buffer.from(text.trim().replace(/^whsec_/, ""), "base64"));
      if (secrets.some(({ length }) => length < 16))
        throw new Error(`The provider "${name}" cannot be used: its webhook's secret is not one (whsec_…).`);
      return async ({ headers, body }) => {
        const { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": given } = headers;
        if (!id || !given || !isRecent(at)) return false;
        const sent = given.split(" ").flatMap((part) => (part.startsWith("v1,") ? [part.slice(3)] : []));
        return secrets.some((secret) => {
          const expected = createHmac("sha256", secret).update(`${id}.${at}.`).update(body).digest();
          return sent.some((one) => isSame(Buffer.from(one, "base64"), expected));
        });
      };
    }
    case "fal": {
      const keys = createKeySet(queue, new URL(signature.keys), now);
      return async ({ headers, body }, signal) => {
        const {
          "x-fal-webhook-request-id": id,
          "x-fal-webhook-user-id": user,
          "x-fal-webhook-timestamp": at,
          "x-fal-webhook-signature": given,
        } = headers;
        if (!id || !user || !given || !/^[0-9a-f]{128}$/i.test(given) || !isRecent(at)) return false;
        const digest = createHash("sha256").update(body).digest("hex");
        const message = Buffer.from([id, user, at, digest].join("\n"));
        return keys.some((key) => verify(null, message, key, Buffer.from(given, "hex")), signal);
      };
    }
  }
}

/** The provider's public keys, cached for a while. */
function createKeySet({ line, log }: Queue, url: URL, now: () => Date) {
  let keys: readonly KeyObject[] = [];
  let askedAtMs = Number.NEGATIVE_INFINITY;
  const ageMs = () => now().getTime() - askedAtMs;

  async function load(signal: AbortSignal): Promise<void> {
    const taking = { maxBytes: MAX_KEYS_BYTES, reserveMemory: async () => {}, receivedBytes: 0 };
    const { body } = await line.ask({ method: "GET", url: new URL(url), taking, signal });
    const known = readAll(body, "keys.x").flatMap((x) => (typeof x === "string" ? toKey(x) : []));
    askedAtMs = now().getTime();
    if (known.length > 0) keys = known;
    else log.warn("the keys of the provider's webhooks could not be read");
  }

  return {
    some: async (fits: (key: KeyObject) => boolean, signal: AbortSignal): Promise<boolean> => {
      if (ageMs() > KEYS_KEPT_MS) await load(signal);
      if (keys.some(fits)) return true;
      if (ageMs() <= KEYS_ASKED_AGAIN_MS) return false;
      await load(signal);
      return keys.some(fits);
    },
  };
}

function toKey(x: string): KeyObject[] {
  try {
    return [createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" })];
  } catch {
    return [];
  }
}

function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8")) as unknown;
  } catch {
    return undefined;
  }
}
