// Service tokens: short EdDSA JWTs with which our processes, and other internal services, prove to core who they are (RFC 7519, RFC 8037).
import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  type CryptoKey,
  exportJWK,
  importPKCS8,
  importSPKI,
  type JSONWebKeySet,
  jwtVerify,
  SignJWT,
} from "jose";
import { createPublicKey } from "node:crypto";
import type { Config } from "./config.ts";

const ALGORITHM = "EdDSA";
const AUDIENCE = "atelier-core";
const OWN_TOKEN_SECONDS = 300;
/** A cached token is replaced when less than this is left of it. */
const RENEW_BEFORE_SECONDS = 60;

/** The RPC services a token may name in its scope. */
export const SERVICE_SCOPES = [
  "Accounts",
  "Admin",
  "Callbacks",
  "Catalog",
  "CatalogAdmin",
  "Credits",
  "Jobs",
  "Memberships",
  "Models",
  "Sessions",
] as const;
export type ServiceScope = (typeof SERVICE_SCOPES)[number];

/** Names of the product's own processes. No token is issued under them and they are not revoked: their key is replaced instead. */
export const OWN_SERVICE_NAMES: readonly string[] = ["core", "worker", "gateway", "mcp", "cli"];
const SERVICE_NAME = /^[a-z][a-z0-9-]{0,62}$/;

/** Whether another internal service may go by this name. */
export function isForeignServiceName(name: string): boolean {
  return SERVICE_NAME.test(name) && !OWN_SERVICE_NAMES.includes(name);
}

export type ServiceIdentity = { name: string; scopes: readonly string[]; expiresAt: number };

/** The private key in PEM: from the configuration, else from the data folder, where the first process to ask makes it. */
export function loadServiceKey(config: Config): string {
  if (config.serviceKey) return config.serviceKey;
  return readOrCreate(join(config.dataDir, "service-key.pem"), () =>
    generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  );
}

/** Reads a secret file of the data folder; makes it, readable by its owner only, when it is not there. */
export function readOrCreate(path: string, make: () => string): string {
  if (!existsSync(path)) {
    mkdirSync(join(path, ".."), { recursive: true });
    try {
      writeFileSync(path, make(), { mode: 0o600, flag: "wx" });
    } catch (error) {
      // Another process of ours made it in the meantime.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  return readFileSync(path, "utf8");
}

/** Signs one token. */
export async function signServiceToken(
  pem: string,
  name: string,
  scopes: readonly ServiceScope[],
  seconds: number,
): Promise<string> {
  const key = await importPKCS8(pem, ALGORITHM);
  return new SignJWT({ scope: scopes.join(" ") })
    .setProtectedHeader({ alg: ALGORITHM, kid: await keyId(pem) })
    .setSubject(name)
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setExpirationTime(`${seconds}s`)
    .sign(key);
}

/** A source of current tokens for one of our own processes; signs anew shortly before the last one ends. */
export function createTokenSource(
  pem: string,
  name: string,
  scopes: readonly ServiceScope[],
): () => Promise<string> {
  let current: { token: Promise<string>; renewAt: number } | undefined;
  return () => {
    const now = Date.now();
    if (!current || now >= current.renewAt) {
      current = {
        token: signServiceToken(pem, name, scopes, OWN_TOKEN_SECONDS),
        renewAt: now + (OWN_TOKEN_SECONDS - RENEW_BEFORE_SECONDS) * 1000,
      };
    }
    return current.token;
  };
}

/**
 * Checks tokens against our own key and the further trusted ones. Verified tokens are remembered until they end, because
 * a signature check costs more than the call it guards; names are checked for revocation by core on every call.
 */
export async function createTokenVerifier(
  pem: string,
  trustedKeysJson: string | undefined,
): Promise<(token: string) => Promise<ServiceIdentity | undefined>> {
  const own = { ...(await exportJWK(await publicKey(pem))), kid: await keyId(pem), alg: ALGORITHM };
  const further = trustedKeysJson ? (JSON.parse(trustedKeysJson) as JSONWebKeySet).keys : [];
  const keySet = createLocalJWKSet({ keys: [own, ...further] });
  const verified = new Map<string, ServiceIdentity>();
  const MAX_REMEMBERED = 1000;

  return async (token) => {
    const known = verified.get(token);
    if (known && known.expiresAt > Date.now()) return known;
    verified.delete(token);
    try {
      const { payload } = await jwtVerify(token, keySet, {
        audience: AUDIENCE,
        algorithms: [ALGORITHM],
        requiredClaims: ["exp", "sub"],
      });
      const identity = {
        name: payload.sub as string,
        scopes: typeof payload["scope"] === "string" ? payload["scope"].split(" ") : [],
        expiresAt: (payload.exp as number) * 1000,
      };
      if (verified.size >= MAX_REMEMBERED) verified.clear();
      verified.set(token, identity);
      return identity;
    } catch {
      return undefined;
    }
  };
}

async function publicKey(pem: string): Promise<CryptoKey> {
  return importSPKI(createPublicKey(pem).export({ type: "spki", format: "pem" }).toString(), ALGORITHM, {
    extractable: true,
  });
}

async function keyId(pem: string): Promise<string> {
  return calculateJwkThumbprint(await exportJWK(await publicKey(pem)));
}
