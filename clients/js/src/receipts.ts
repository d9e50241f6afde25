// The signed receipts of jobs: they prove to anyone what the service said of a job.
import { AtelierError } from "./errors.ts";
import type { ReceiptKey, ReceiptPayload } from "./resources.ts";

export type VerifyReceipt = {
  /** The public keys of the service, from `receiptKeys` or from a copy that you kept. */
  readonly keys: readonly Pick<ReceiptKey, "kid" | "x">[];
  /** The URL of the service that must have signed it. */
  readonly issuer: string;
};

/** Returns what a receipt says. Throws an AtelierError with the code receipt_refused unless one of the keys signed it for this issuer. */
export async function verifyReceipt(
  receipt: string,
  { keys, issuer }: VerifyReceipt,
): Promise<ReceiptPayload> {
  const parts = receipt.split(".");
  const [head = "", body = "", signature = ""] = parts;
  if (parts.length !== 3) throw refused(`It has ${parts.length} parts separated by dots; a receipt has 3.`);
  const { alg, typ, kid, crit } = json(head);
  if (alg !== "EdDSA") throw refused(`Its algorithm is ${String(alg)}; receipts are signed with EdDSA.`);
  if (typ !== "atelier-receipt+jws") throw refused(`Its type is ${String(typ)}, which is no receipt.`);
  if (crit !== undefined) throw refused("It has critical headers that this client does not know.");
  const found = keys.find((key) => key.kid === kid);
  if (!found) throw refused(`Its key ${String(kid)} is none of the ${keys.length} keys given.`);
  const key = await crypto.subtle.importKey("raw", bytesOf(found.x), "Ed25519", false, ["verify"]);
  const signed = new TextEncoder().encode(`${head}.${body}`);
  if (!(await crypto.subtle.verify("Ed25519", key, bytesOf(signature), signed)))
    throw refused("Its signature is not valid: the receipt was changed, or another key signed it.");
  const payload = json(body) as ReceiptPayload;
  if (payload.iss !== issuer) throw refused(`Its issuer is ${payload.iss}, not ${issuer}.`);
  return payload;
}

function json(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytesOf(part)));
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch (error) {
    if (error instanceof AtelierError) throw error;
  }
  throw refused("A part of it is not a JSON object.");
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[\w-]*$/.test(text)) throw refused("A part of it is not base64url.");
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    throw refused("A part of it is not base64url.");
  }
}

function refused(why: string): AtelierError {
  return new AtelierError("receipt_refused", `The receipt cannot be trusted. ${why}`);
}
