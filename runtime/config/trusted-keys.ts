// The public keys with which core verifies service tokens: who owns each key, and what its tokens may claim.
import { createPublicKey } from "node:crypto";
import { z } from "zod";
import { jsonText } from "./json-text.ts";
import { CLAIMS, type Claim, isForeignServiceName, isOwnService, OWN_SERVICES } from "./service-names.ts";

export type TrustedKey = {
  /** The public half of the key, as a JWK. */
  readonly jwk: { readonly kty: "OKP"; readonly crv: "Ed25519"; readonly x: string };
  readonly kid: string | undefined;
  /** The service whose tokens this key signs. The key of the cli also signs the tokens of other internal services. */
  readonly name: string;
  readonly scopes: readonly Claim[];
};

const keySchema = z
  .looseObject({
    kty: z.literal("OKP", { error: "kty must be OKP" }),
    crv: z.literal("Ed25519", { error: "crv must be Ed25519" }),
    x: z.string(),
    d: z.undefined({ error: "it holds a private key (d)" }).optional(),
    kid: z.string().optional(),
    name: z.string({ error: "each key must have the name of the service whose tokens it signs" }),
    scopes: z.array(z.enum(CLAIMS)).optional(),
  })
  .transform(({ kty, crv, x, kid, name, scopes }, context): TrustedKey => {
    const own: readonly Claim[] | undefined = isOwnService(name) ? OWN_SERVICES[name] : undefined;
    if (!own && !isForeignServiceName(name))
      context.addIssue({ code: "custom", message: `${JSON.stringify(name)} is not the name of a service` });
    if (!own && !scopes)
      context.addIssue({ code: "custom", message: `the key of ${name} must say which scopes it may claim` });
    try {
      createPublicKey({ key: { kty, crv, x }, format: "jwk" });
    } catch {
      context.addIssue({ code: "custom", message: `the key of ${name} is no Ed25519 public key` });
    }
    // The cli signs tokens for others, so what it may claim itself does not limit them.
    const most = name === "cli" ? CLAIMS : (own ?? CLAIMS);
    return {
      jwk: { kty, crv, x },
      kid,
      name,
      scopes: most.filter((claim) => scopes?.includes(claim) ?? true),
    };
  });

/** The text of a JWK set (RFC 7517) whose keys also carry `name` and `scopes`. */
export const trustedKeysSchema = jsonText('{"keys":[]}')
  .pipe(z.looseObject({ keys: z.array(keySchema, { error: "not a JWK set" }) }, { error: "not a JWK set" }))
  .transform(({ keys }) => keys);
