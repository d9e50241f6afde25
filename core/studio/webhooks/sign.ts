// The headers that prove to a receiver that a message is ours and unchanged: our own and those of Standard Webhooks. This file is pure.
import { createHmac } from "node:crypto";
import type { DeliveryEvent } from "./rules.ts";

/** Which secrets sign each header; a rotation moves the headers one after the other. */
export type SigningSecrets = {
  /** x-service-signature can hold only one signature. */
  readonly plain: string;
  /** webhook-signature carries one signature by each secret, newest first. */
  readonly standard: readonly string[];
};

export type Message = {
  readonly deliveryId: string;
  readonly event: DeliveryEvent;
  /** Exactly the bytes that are sent. */
  readonly body: Uint8Array;
  /** When this attempt is made; receivers refuse old ones. */
  readonly at: Date;
};

const SECRET_PREFIX = "whsec_";

/** All headers of a callback besides those of the transport. */
export function signingHeaders(message: Message, secrets: SigningSecrets): Record<string, string> {
  const timestamp = Math.floor(message.at.getTime() / 1000);
  return {
    "x-service-event": message.event,
    "x-service-delivery": message.deliveryId,
    "x-service-signature": `sha256=${signPlain(message.body, secrets.plain)}`,
    "webhook-id": message.deliveryId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": secrets.standard.map((secret) => signStandard(message, timestamp, secret)).join(" "),
  };
}

/** Keyed with the text of the secret as it was shown, including the prefix. */
function signPlain(body: Uint8Array, secret: string): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}

/** Keyed with the bytes that the secret's base64 part encodes (https://www.standardwebhooks.com). */
function signStandard({ deliveryId, body }: Message, timestamp: number, secret: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  return `v1,${createHmac("sha256", key).update(`${deliveryId}.${timestamp}.`).update(body).digest("base64")}`;
}
