// The headers that prove to a receiver that a message is ours and unchanged: our own and those of Standard Webhooks. This file is pure.
import { createHmac, type KeyObject, sign } from "node:crypto";
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

/**
 * All headers of a callback besides those of the transport. With `publishedKey`, the private part of a key in the JWKS, there is a v1a signature
 * too. That key signs for all accounts, so the body must name the account.
 */
export function signingHeaders(
  message: Message,
  secrets: SigningSecrets,
  publishedKey?: KeyObject,
): Record<string, string> {
  const timestamp = Math.floor(message.at.getTime() / 1000);
  const signatures = secrets.standard.map((secret) => signStandard(message, timestamp, secret));
  if (publishedKey)
    signatures.push(`v1a,${sign(null, signedBytes(message, timestamp), publishedKey).toString("base64")}`);
  return {
    "x-service-event": message.event,
    "x-service-delivery": message.deliveryId,
    "x-service-signature": `sha256=${signPlain(message.body, secrets.plain)}`,
    "webhook-id": message.deliveryId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}

/** Keyed with the text of the secret as it was shown, including the prefix. */
function signPlain(body: Uint8Array, secret: string): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}

/** Keyed with the bytes that the secret's base64 part encodes (https://www.standardwebhooks.com). */
function signStandard(message: Message, timestamp: number, secret: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64");
  return `v1,${createHmac("sha256", key).update(signedBytes(message, timestamp)).digest("base64")}`;
}

function signedBytes({ deliveryId, body }: Message, timestamp: number): Buffer {
  return Buffer.concat([Buffer.from(`${deliveryId}.${timestamp}.`), body]);
}
