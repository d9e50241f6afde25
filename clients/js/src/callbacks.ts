// Verifies webhooks: whether they were signed with the account's secret, over exactly these bytes, a moment ago.
import { AtelierError } from "./errors.ts";
import type { Callback, TestCallback, WorkflowCallback } from "./resources.ts";

export type VerifyCallback = {
  /** The account's webhook secret, whsec_…. During a rotation, the new and the old one. */
  readonly secret: string | readonly string[];
  /** The headers of the request: Headers, or a plain object as Node's servers have it. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it arrived, before anything has parsed it. */
  readonly body: string | Uint8Array;
  /** How far the signing time may be from now. Default: 300 seconds, as Standard Webhooks recommend. */
  readonly toleranceSeconds?: number;
};

/** The payloads are distinguished by `event`. That of a workflow has `workflow` instead of `job`. */
export type AnyCallback =
  | (Callback & { workflow?: undefined })
  | (TestCallback & { workflow?: undefined })
  | (WorkflowCallback & { job?: undefined });

const PREFIX = "whsec_";
const TOLERANCE_SECONDS = 300;

/** Returns the payload. Throws an AtelierError with the code callback_refused if it is not genuine. */
export async function verifyCallback(options: VerifyCallback): Promise<AnyCallback> {
  const { secret, headers, toleranceSeconds = TOLERANCE_SECONDS } = options;
  const body = typeof options.body === "string" ? new TextEncoder().encode(options.body) : options.body;
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature").split(" ");
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  // The comparison is written this way because NaN is not near any time.
  if (!(age <= toleranceSeconds))
    throw refused("It was signed too long ago, or this machine's clock is wrong.");
  const signed = concat(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  const secrets = typeof secret === "string" ? [secret] : secret;
  for (const one of secrets) {
    const expected = `v1,${await sign(one, signed)}`;
    if (signatures.some((signature) => isSame(signature, expected))) return read(body);
  }
  throw refused("No signature of it was made with this secret over this body.");
}

async function sign(secret: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const key = await crypto.subtle.importKey("raw", keyOf(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes));
  return btoa(String.fromCharCode(...mac));
}

/** The bytes that the part after whsec_ encodes. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  try {
    const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : "";
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    if (bytes.length > 0) return bytes;
  } catch {
    // The error is reported below, without the secret.
  }
  throw new TypeError("secret must be the webhook secret of your account. It begins with whsec_.");
}

/** Takes the same time wherever they differ. */
function isSame(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}

function headerOf(headers: VerifyCallback["headers"], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : findHeader(headers, name);
  if (!value) throw refused(`It has no header ${name}.`);
  return value;
}

function findHeader(headers: Exclude<VerifyCallback["headers"], Headers>, name: string): string | undefined {
  const value = Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];
  return typeof value === "string" || value === undefined ? value : value.join(" ");
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}

function read(body: Uint8Array): AnyCallback {
  return JSON.parse(new TextDecoder().decode(body)) as AnyCallback;
}

function refused(why: string): AtelierError {
  return new AtelierError("callback_refused", `The webhook cannot be trusted. ${why}`);
}
