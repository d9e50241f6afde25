// The headers that prove to a receiver that a message is ours and unchanged: our own and those of Standard Webhooks. Pure.
import { createHmac } from "node:crypto";
import type { DeliveryEvent } from "./rules.ts";

export type SigningSecrets = {
  readonly current: string;
  /** Only while it overlaps with the current one. */
  readonly previous: string | null;
};

export type Message = {
  readonly deliveryId: string;
  readonly event: DeliveryEvent;
  /** The very bytes that are sent. */
  readonly body: Uint8Array;
  /** When this attempt is made; receivers refuse old ones. */
  readonly at: Date;
};

const SECRET_PREFIX = "whsec_";

/** All headers of a callback besides those of the transport. */
export function signingHeaders(message: Message, secrets: SigningSecrets): Record<string, string> {
  const timestamp = Math.floor(message.at.getTime() / 1000);
  const known = secrets.previous === null ? [secrets.current] : [secrets.current, secrets.previous];
  return {
    "x-service-event": message.event,
    "x-service-delivery": message.deliveryId,
    // Room for one signature only: the old secret, as long as it lasts. See docs/decisions/callback-secret-rotation.md.
    "x-service-signature": `sha256=${signPlain(message.body, secrets.previous ?? secrets.current)}`,
    "webhook-id": message.deliveryId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": known.map((secret) => signStandard(message, timestamp, secret)).join(" "),
  };
}

/** Keyed with the text of the secret as it was shown, prefix and all. */
function signPlain(body: Uint8Array, secret: string): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}

/** Keyed with the bytes that the secret's base64 part stands for (https://www.standardwebhooks.com). */
function signStandard({ deliveryId, body }: Message, timestamp: number, secret: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  return `v1,${createHmac("sha256", key).update(`${deliveryId}.${timestamp}.`).update(body).digest("base64")}`;
}
