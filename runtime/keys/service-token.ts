// Service tokens: short EdDSA JWTs with which the service's processes, and other internal services, prove their identity to core (RFC 7519,
// RFC 8037).
import { createPublicKey, generateKeyPairSync, randomUUID } from "node:crypto";
import { join } from "node:path";
import { calculateJwkThumbprint, importPKCS8, SignJWT } from "jose";
import { CONFIG_KEYS } from "../config/config-keys.ts";
import { type Config, ConfigError } from "../config/config.ts";
import { type Claim, CLAIMS, OWN_SERVICES, type OwnService } from "../config/service-names.ts";
import type { TrustedKey } from "../config/trusted-keys.ts";
import { readOrCreate } from "./read-or-create.ts";

export const TOKEN_ALGORITHM = "EdDSA";
export const TOKEN_AUDIENCE = "atelier-core";
const OWN_TOKEN_SECONDS = 300;
/** A cached token is replaced when it has less than this time left. */
const RENEW_BEFORE_SECONDS = 60;

/**
 * The private key of a built-in service, in PEM. It comes from the configuration, or else from the data folder, where the first process
 * that needs it creates it.
 */
export function loadServiceKey(config: Config, name: OwnService): string {
  if (config.serviceKey) return config.serviceKey;
  if (config.profile === "production")
    throw new ConfigError(
      `${CONFIG_KEYS.serviceKey.env} is not set: in production ${name} signs its service tokens with a key of its own (atelier service-token key ${name}).`,
    );
  return readOrCreate(join(config.dataDir, "service-keys", `${name}.pem`), newServiceKey);
}

/**
 * Every key that core accepts tokens from. In production, these are only the keys in the configuration. In development, the keys in the
 * data folder count too, and missing ones are created here.
 */
export function loadTrustedKeys(config: Config): TrustedKey[] {
  if (config.profile === "production") {
    if (config.serviceTrustedKeys.length > 0) return config.serviceTrustedKeys;
    throw new ConfigError(
      `${CONFIG_KEYS.serviceTrustedKeys.env} is empty: in production core must be told whose service tokens to accept (atelier service-token key makes keys).`,
    );
  }
  const own = (Object.keys(OWN_SERVICES) as OwnService[]).map((name) =>
    trustedKey(loadServiceKey({ ...config, serviceKey: undefined }, name), name),
  );
  return [...own, ...config.serviceTrustedKeys];
}

export function newServiceKey(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

/** The public half of a private key, with what it may be used for. */
export function trustedKey(pem: string, name: string): TrustedKey {
  const { x = "" } = createPublicKey(pem).export({ format: "jwk" });
  return {
    jwk: { kty: "OKP", crv: "Ed25519", x },
    kid: undefined,
    name,
    scopes: name === "cli" || !(name in OWN_SERVICES) ? CLAIMS : OWN_SERVICES[name as OwnService],
  };
}

/** Signs one token. */
export async function signServiceToken(
  pem: string,
  name: string,
  claims: readonly Claim[],
  seconds: number,
  tokenId: string = randomUUID(),
): Promise<string> {
  const key = await importPKCS8(pem, TOKEN_ALGORITHM);
  return new SignJWT({ scope: claims.join(" ") })
    .setProtectedHeader({ alg: TOKEN_ALGORITHM, kid: await keyId(trustedKey(pem, name)) })
    .setSubject(name)
    .setAudience(TOKEN_AUDIENCE)
    .setJti(tokenId)
    .setIssuedAt()
    .setExpirationTime(`${seconds}s`)
    .sign(key);
}

/** Returns a source of current tokens for a built-in service. It signs a new token shortly before the last one expires. */
export function createTokenSource(pem: string, name: OwnService): () => Promise<string> {
  let current: { token: Promise<string>; renewAt: number } | undefined;
  return () => {
    const now = Date.now();
    if (!current || now >= current.renewAt) {
      current = {
        token: signServiceToken(pem, name, OWN_SERVICES[name], OWN_TOKEN_SECONDS),
        renewAt: now + (OWN_TOKEN_SECONDS - RENEW_BEFORE_SECONDS) * 1000,
      };
    }
    return current.token;
  };
}

/** The id by which tokens name the key: its name in the configuration, or else its thumbprint (RFC 7638). */
export async function keyId({ kid, jwk }: TrustedKey): Promise<string> {
  return kid ?? calculateJwkThumbprint(jwk);
}
