// Checks service tokens: who signed, whether that key may sign for this name and these rights, and for how long.
import { errors, importJWK, type JWTPayload, jwtVerify } from "jose";
import { ServiceRefused } from "../../../proto/service-refusals.ts";
import {
  CLAIMS,
  type Claim,
  isForeignServiceName,
  isOwnService,
} from "../../../runtime/config/service-names.ts";
import type { TrustedKey } from "../../../runtime/config/trusted-keys.ts";
import { keyId, TOKEN_ALGORITHM, TOKEN_AUDIENCE } from "../../../runtime/keys/service-token.ts";

/** Our own processes sign for five minutes; another internal service gets a token for days. */
const MAX_OWN_SECONDS = 15 * 60;
const MAX_FOREIGN_SECONDS = 366 * 86_400;
/** How far the signer's clock may be ahead of this machine's. */
const MAX_AHEAD_SECONDS = 60;
const MAX_REMEMBERED = 1000;

export type ServiceIdentity = {
  readonly name: string;
  readonly claims: readonly Claim[];
  readonly expiresAt: number;
  /** The token's own id (jti). */
  readonly tokenId: string;
};

/** Rejects with ServiceRefused. */
export type VerifyToken = (token: string) => Promise<ServiceIdentity>;

/**
 * Verified tokens are remembered until they expire, because verifying a signature costs more than the call that it protects. Names are
 * checked for revocation on every call.
 */
export async function createTokenVerifier(trusted: readonly TrustedKey[]): Promise<VerifyToken> {
  const keys = new Map(
    await Promise.all(
      trusted.map(
        async (one) =>
          [await keyId(one), { ...one, key: await importJWK(one.jwk, TOKEN_ALGORITHM) }] as const,
      ),
    ),
  );
  const verified = new Map<string, ServiceIdentity>();

  return async (token) => {
    const known = verified.get(token);
    if (known && known.expiresAt > Date.now()) return known;
    verified.delete(token);
    let signer: TrustedKey | undefined;
    const { payload } = await jwtVerify(
      token,
      ({ kid = "" }) => {
        const found = keys.get(kid);
        if (!found) throw new ServiceRefused("service_key_unknown");
        signer = found;
        return found.key;
      },
      {
        audience: TOKEN_AUDIENCE,
        algorithms: [TOKEN_ALGORITHM],
        requiredClaims: ["exp", "iat", "jti", "sub"],
      },
    ).catch((error: unknown) => {
      throw refusalOf(error);
    });
    if (!signer) throw new ServiceRefused("service_token_invalid");
    const identity = identityOf(payload, signer);
    if (verified.size >= MAX_REMEMBERED) verified.clear();
    verified.set(token, identity);
    return identity;
  };
}

function refusalOf(error: unknown): ServiceRefused {
  if (error instanceof ServiceRefused) return error;
  return new ServiceRefused(
    error instanceof errors.JWTExpired ? "service_token_expired" : "service_token_invalid",
  );
}

/** Checks everything except the signature. Throws ServiceRefused. */
function identityOf(payload: JWTPayload, signer: TrustedKey): ServiceIdentity {
  const { sub: name = "", exp = 0, iat = 0, jti: tokenId = "" } = payload;
  const scope = payload["scope"];
  const claims = typeof scope === "string" ? scope.split(" ").filter((word) => word !== "") : [];
  if (!maySign(signer, name) || !claims.every((claim) => isClaim(claim) && signer.scopes.includes(claim)))
    throw new ServiceRefused("service_key_exceeded", { name });
  const mostSeconds = isOwnService(name) ? MAX_OWN_SECONDS : MAX_FOREIGN_SECONDS;
  const ahead = iat - Date.now() / 1000;
  if (exp - iat > mostSeconds || ahead > MAX_AHEAD_SECONDS)
    throw new ServiceRefused("service_token_too_long", { name });
  return { name, claims: claims.filter(isClaim), expiresAt: exp * 1000, tokenId };
}

/** A key signs for its own service. The operator's key also signs for services that have no key. */
function maySign(signer: TrustedKey, name: string): boolean {
  return name === signer.name || (signer.name === "cli" && isForeignServiceName(name));
}

function isClaim(word: string): word is Claim {
  return (CLAIMS as readonly string[]).includes(word);
}
