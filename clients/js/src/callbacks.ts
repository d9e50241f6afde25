// Verifies webhooks: whether they were signed with the account's secret, over exactly these bytes, a moment ago.
import { AtelierError } from "./errors.ts";
import type {
  AccountEventDelivery,
  Callback,
  ReceiptKey,
  TestCallback,
  WorkflowCallback,
} from "./resources.ts";

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
export async function verifyCallback({ secret, ...message }: VerifyCallback): Promise<AnyCallback> {
  const { signed, signatures, body } = readSigned(message);
  if (await hasSecret(secret, signed, signatures)) return read(body) as AnyCallback;
  throw refused("No signature of it was made with this secret over this body.");
}

export type VerifyEvent = Omit<VerifyCallback, "secret"> & {
  /** Your account. The service's keys sign for all accounts, so messages of others are refused. */
  readonly accountId: string;
} & (
    | { readonly secret: VerifyCallback["secret"] }
    /** The public keys of the service, from `receiptKeys` or from a copy that you kept. */
    | { readonly keys: readonly Pick<ReceiptKey, "x">[] }
  );

/**
 * Returns the message that an endpoint of your account received. Throws an AtelierError with the code callback_refused if it is not genuine,
 * or of another account. It needs the endpoint's secret, or the public keys of the service.
 */
export async function verifyEvent(options: VerifyEvent): Promise<AccountEventDelivery> {
  const { signed, signatures, body } = readSigned(options);
  const isGenuine =
    "keys" in options
      ? await hasKey(options.keys, signed, signatures)
      : await hasSecret(options.secret, signed, signatures);
  if (!isGenuine) throw refused("No signature of it was made with this key over this body.");
  const event = read(body) as AccountEventDelivery;
  if (event.account_id !== options.accountId)
    throw refused(`It is for the account ${event.account_id}, not ${options.accountId}.`);
  return event;
}

/** Reads what is signed and the signatures. Throws if it is too old. */
function readSigned({
  headers,
  toleranceSeconds = TOLERANCE_SECONDS,
  ...options
}: Omit<VerifyCallback, "secret">) {
  const body = typeof options.body === "string" ? new TextEncoder().encode(options.body) : options.body;
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature").split(" ");
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  // The comparison is written this way because NaN is not near any time.
  if (!(age <= toleranceSeconds))
    throw refused("It was signed too long ago, or this machine's clock is wrong.");
  return { signed: concat(new TextEncoder().encode(`${id}.${timestamp}.`), body), signatures, body };
}

async function hasSecret(
  secret: VerifyCallback["secret"],
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly string[],
): Promise<boolean> {
  for (const one of typeof secret === "string" ? [secret] : secret) {
    const expected = `v1,${await sign(one, signed)}`;
    if (signatures.some((signature) => isSame(signature, expected))) return true;
  }
  return false;
}

async function hasKey(
  keys: readonly Pick<ReceiptKey, "x">[],
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly string[],
): Promise<boolean> {
  const given = signatures.flatMap((one) => (/^v1a,[\w+/]{86}==$/.test(one) ? [bytesOf(one.slice(4))] : []));
  for (const { x } of keys) {
    const raw = bytesOf(x.replaceAll("-", "+").replaceAll("_", "/"));
    const key = await crypto.subtle.importKey("raw", raw, "Ed25519", false, ["verify"]);
    for (const signature of given)
      if (await crypto.subtle.verify("Ed25519", key, signature, signed)) return true;
  }
  return false;
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
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
    const bytes = bytesOf(text);
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

function read(body: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(body));
}

function refused(why: string): AtelierError {
  return new AtelierError("callback_refused", `The webhook cannot be trusted. ${why}`);
}
