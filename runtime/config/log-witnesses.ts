// Witnesses of the public log, as their setting names them: a verifier key (c2sp.org/signed-note#verifier-keys) and an address for each.
import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import { z } from "zod";

export type Witness = {
  /** The name of its key. */
  readonly name: string;
  /** The id of its key, which its signatures begin with. */
  readonly keyId: Buffer;
  readonly publicKey: KeyObject;
  /** Where checkpoints are sent to. */
  readonly url: string;
};

/** The byte before an Ed25519 key: of notes (c2sp.org/signed-note), and of cosignatures (c2sp.org/tlog-cosignature). */
export const NOTE_KEY = 1;
export const COSIGNATURE_KEY = 4;
const ID_BYTES = 4;
const ED25519_BYTES = 32;
const KEY = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+={0,2})$/;

export function keyIdOf(name: string, type: number, publicKey: Uint8Array): Buffer {
  const digest = createHash("sha256").update(`${name}\n`).update(Uint8Array.of(type)).update(publicKey);
  return digest.digest().subarray(0, ID_BYTES);
}

/** The verifier key of an Ed25519 key. */
export function verifierKeyOf(name: string, type: number, publicKey: Uint8Array): string {
  const key = Buffer.concat([Uint8Array.of(type), publicKey]).toString("base64");
  return `${name}+${keyIdOf(name, type, publicKey).toString("hex")}+${key}`;
}

/** Throws an error that says what is wrong with the key. */
function parseKey(text: string): Omit<Witness, "url"> {
  const [, name = "", id, encoded = ""] = KEY.exec(text) ?? [];
  if (id === undefined) throw new Error("is no verifier key: name+id+key");
  const [type = 0, ...rest] = Buffer.from(encoded, "base64");
  const key = Buffer.from(rest);
  if (type !== COSIGNATURE_KEY || key.length !== ED25519_BYTES)
    throw new Error(`has a key of the type ${type}: cosignature/v1 has Ed25519 keys, of the type 4`);
  const keyId = keyIdOf(name, type, key);
  if (keyId.toString("hex") !== id) throw new Error("has an id that is not that of its name and key");
  const x = key.toString("base64url");
  return {
    name,
    keyId,
    publicKey: createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" }),
  };
}

/** `KEY URL`, separated by commas or lines. */
export const logWitnesses = z
  .string()
  .default("")
  .transform((text, context): readonly Witness[] => {
    const entries = text.split(/[,\n]/).flatMap((entry) => entry.trim() || []);
    const found = entries.flatMap((entry, at) => {
      const [key = "", url = "", ...more] = entry.split(/\s+/);
      try {
        if (more.length > 0 || !/^https?:$/.test(URL.parse(url)?.protocol ?? ""))
          throw new Error("is not a verifier key, a space and a URL");
        return [{ ...parseKey(key), url: `${url.replace(/\/+$/, "")}/add-checkpoint` }];
      } catch (error) {
        context.addIssue({ code: "custom", message: `witness ${at + 1} ${(error as Error).message}` });
        return [];
      }
    });
    if (new Set(found.map(({ name, keyId }) => name + keyId.toString("hex"))).size < found.length)
      context.addIssue({ code: "custom", message: "it names a witness twice" });
    return found;
  });
