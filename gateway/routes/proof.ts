// The published data for verifying the service's statements.
import { z } from "zod";
import type { CoreClient } from "../../proto/client.ts";
import { fromMessage } from "../../proto/codec.ts";
import { AppError } from "../../proto/codes.ts";
import { logProofSchema, solvencyProofSchema } from "../../proto/resources/log-proof.ts";
import { RECEIPT_KEYS_PATH } from "../../proto/resources/receipt.ts";
import { resultOf, toResult } from "../answers/result.ts";
import type { GatewayApp, GatewayOptions } from "../gateway.ts";
import { callFor, PUBLIC, READ } from "../http/auth.ts";
import { JWK, LOG_PROOF, SOLVENCY_PROOF } from "../openapi/examples.ts";
import { operation } from "../openapi/operation.ts";

const TILE_WIDTH = 256;
const MAX_LEVEL = 63;

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
    operation({
      config: { access: PUBLIC, envelope: true },
      operationId: "listReceiptKeys",
      summary: "Read the public keys of receipts",
      description:
        "A JWK set (RFC 7517) of the keys that sign receipts, and of all that have signed any. A new key is here before it signs.",
      tag: "Proof",
      success: {
        200: {
          description: "The keys.",
          schema: z.object({ keys: z.array(jwkSchema) }).meta({ id: "ReceiptKeys" }),
          headers: ["Cache-Control"],
          example: { keys: [JWK] },
        },
      },
    }),
    async (request, reply) => {
      const { keys } = await core.proof.ListReceiptKeys({}, callFor(request));
      const constant = { kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig" } as const;
      return reply
        .header("cache-control", "public, max-age=300")
        .send({ keys: keys.map(({ kid, x }) => ({ ...constant, x, kid })) });
    },
  );
  proofOfLedger(app, core);
  logRoutes(app, core);
}

function proofOfLedger(app: GatewayApp, core: CoreClient): void {
  app.get(
    "/api/credits/proof",
    operation({
      config: { access: READ, envelope: true },
      operationId: "getLogProof",
      summary: "Prove that the ledger is in the public log",
      description:
        "The newest ledger entry that the log has, the salt of its leaf, the path from there to the root, and the signed checkpoint of this root. A checkpoint follows the ledger within seconds. solvency is the same for your balance in the total of all balances, which the log states once a day.",
      tag: "Proof",
      success: {
        200: {
          description: "The proofs; each is null while no checkpoint covers it.",
          schema: resultOf(
            z
              .object({ proof: logProofSchema.nullable(), solvency: solvencyProofSchema.nullable() })
              .meta({ id: "LogProofResult" }),
          ),
          example: toResult({ proof: LOG_PROOF, solvency: SOLVENCY_PROOF }),
        },
      },
    }),
    async (request, reply) => {
      const { proof, solvency } = await core.credits.GetLogProof({}, callFor(request));
      return reply.send(
        toResult({
          proof: proof ? fromMessage(logProofSchema, proof) : null,
          solvency: solvency ? fromMessage(solvencyProofSchema, solvency) : null,
        }),
      );
    },
  );
}

/** The log of all ledgers, in the form that public clients of logs read: c2sp.org/tlog-tiles. */
function logRoutes(app: GatewayApp, core: CoreClient): void {
  const options = { config: { access: PUBLIC }, schema: { hide: true } };
  app.get("/log/checkpoint", options, async (request, reply) => {
    const { note } = await core.proof.GetCheckpoint({}, callFor(request));
    return reply.type("text/plain; charset=utf-8").header("cache-control", "public, max-age=5").send(note);
  });
  app.get("/log/solvency", options, async (request, reply) => {
    const { statements } = await core.proof.ListStatements({}, callFor(request));
    return reply.header("cache-control", "public, max-age=60").send({ statements });
  });
  app.get("/log/*", options, async (request, reply) => {
    const tile = readTilePath((request.params as { "*": string })["*"]);
    if (!tile) throw new AppError("not_found");
    const { data } = await core.proof.GetLogTile(tile, callFor(request));
    return reply
      .type("application/octet-stream")
      .header("cache-control", "public, max-age=31536000, immutable")
      .send(Buffer.from(data));
  });
}

const TILE_PATH =
  /^(?:tile\/(0|[1-9]\d?)|(?:tile\/)?entries)\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** For example tile/0/x001/x234/067.p/112, or tile/entries/000; undefined for another path. */
function readTilePath(path: string) {
  const [, level, number = "", width = String(TILE_WIDTH)] = TILE_PATH.exec(path) ?? [];
  const isPartial = path.includes(".p/");
  const wrong =
    number === "" ||
    number.startsWith("x000/") ||
    Number(level ?? 0) > MAX_LEVEL ||
    (isPartial && Number(width) >= TILE_WIDTH);
  if (wrong) return undefined;
  return {
    ...(level !== undefined && { level: Number(level) }),
    index: Number(number.replaceAll(/[x/]/g, "")),
    width: Number(width),
  };
}
