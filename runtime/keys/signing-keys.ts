// The Ed25519 keys with which this service signs what leaves it.
import { createPrivateKey, createPublicKey, hash, type KeyObject } from "node:crypto";
import { join } from "node:path";
import { CONFIG_KEYS } from "../config/config-keys.ts";
import { type Config, ConfigError } from "../config/config.ts";
import { readOrCreate } from "./read-or-create.ts";
import { newServiceKey } from "./service-token.ts";

export type SigningKey = {
  /** The thumbprint of the public key (RFC 7638). */
  readonly kid: string;
  /** The public key in base64url. */
  readonly x: string;
  readonly privateKey: KeyObject;
};

/** Each is empty where production has no key for it: nothing of that kind is signed then. */
export type SigningKeys = {
  /** The first signs receipts. The others are published with it, so that each can take over. */
  readonly receipts: readonly SigningKey[];
};

const PEM = /-----BEGIN PRIVATE KEY-----[\s\S]+?-----END PRIVATE KEY-----/g;

/** Development makes keys in the data folder. Throws ConfigError for a key that is none. */
export function loadSigningKeys(config: Pick<Config, "profile" | "dataDir" | "receiptKeys">): SigningKeys {
  return { receipts: read(config, "receiptKeys", "receipt-key.pem") };
}

function read(
  { profile, dataDir, ...config }: Parameters<typeof loadSigningKeys>[0],
  setting: "receiptKeys",
  file: string,
): readonly SigningKey[] {
  const made = () => readOrCreate(join(dataDir, file), newServiceKey);
  const text = config[setting] ?? (profile === "production" ? undefined : made());
  if (text === undefined) return [];
  const pems = text.match(PEM) ?? [];
  const refuse = (why: string) => new ConfigError(`${CONFIG_KEYS[setting].env}: ${why}.`);
  if (pems.length === 0) throw refuse("holds no private key (PKCS#8 PEM)");
  return pems.map((pem, index) => {
    try {
      return toSigningKey(createPrivateKey(pem));
    } catch (error) {
      throw refuse(`key ${index + 1} cannot be used: ${(error as Error).message}`);
    }
  });
}

export function toSigningKey(privateKey: KeyObject): SigningKey {
  if (privateKey.asymmetricKeyType !== "ed25519") throw new Error("it is no Ed25519 key");
  const { x = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  const kid = hash("sha256", JSON.stringify({ crv: "Ed25519", kty: "OKP", x }), "base64url");
  return { kid, x, privateKey };
}
