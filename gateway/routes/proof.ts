// What anyone needs to verify what the service says of itself.
import { z } from "zod";
import { RECEIPT_KEYS_PATH } from "../../proto/resources/receipt.ts";
import type { GatewayApp, GatewayOptions } from "../gateway.ts";
import { callFor, PUBLIC } from "../http/auth.ts";
import { JWK } from "../openapi/examples.ts";
import { declareOperation } from "../openapi/operation.ts";

const jwkSchema = z
  .object({
    kty: z.literal("OKP"),
    crv: z.literal("Ed25519"),
    x: z.string().describe("The public key in base64url."),
    kid: z.string().describe("Its thumbprint (RFC 7638), which receipts name."),
    alg: z.literal("EdDSA"),
    use: z.literal("sig"),
  })
  .meta({ id: "ReceiptKey" });

export function proofRoutes(app: GatewayApp, { core }: GatewayOptions): void {
  app.get(
    RECEIPT_KEYS_PATH,
    {
      config: { access: PUBLIC, envelope: true },
      schema: declareOperation({
        operationId: "listReceiptKeys",
        summary: "Read the public keys of receipts",
        description:
          "A JWK set (RFC 7517) of the keys that sign receipts, and of all that have signed any. A new key is here before it signs.",
        tag: "Proof",
        security: "none",
        success: {
          200: {
            description: "The keys.",
            schema: z.object({ keys: z.array(jwkSchema) }).meta({ id: "ReceiptKeys" }),
            headers: ["Cache-Control"],
            example: { keys: [JWK] },
          },
        },
      }),
    },
    async (request, reply) => {
      const { keys } = await core.proof.ListReceiptKeys({}, callFor(request));
      const constant = { kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig" } as const;
      return reply
        .header("cache-control", "public, max-age=300")
        .send({ keys: keys.map(({ kid, x }) => ({ ...constant, x, kid })) });
    },
  );
}
