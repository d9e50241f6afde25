// GET /assets/…: files that never change under their name. Each is compressed at its first request.
import type { FastifyInstance } from "fastify";
import { pathOf } from "../../../edge/http/errors.ts";
import { AppError } from "../../../proto/codes.ts";
import { OPEN } from "../../http/crawlers.ts";
import { createEncodingChoice, encode, type Encoding, SMALLEST_FIRST } from "../../http/encoding.ts";
import { type Asset, ASSET_PREFIX, type Assets } from "./assets.ts";

const PERMANENT = "public, max-age=31536000, immutable";

export function assetRoutes(app: FastifyInstance, assets: Assets): void {
  const chooseEncoding = createEncodingChoice(SMALLEST_FIRST);
  const bodyOf = rememberEncoded();
  app.get(`${ASSET_PREFIX}*`, OPEN, async (request, reply) => {
    const asset = assets.find(pathOf(request.url));
    if (!asset) throw new AppError("not_found");
    const isCompressed = asset.contentType === "font/woff2";
    const encoding = isCompressed
      ? "identity"
      : chooseEncoding(request.headers["accept-encoding"]?.toString());
    const encoded = await bodyOf(asset, encoding);
    if (encoded) reply.header("content-encoding", encoding);
    return reply
      .headers({ "content-type": asset.contentType, "cache-control": PERMANENT, vary: "accept-encoding" })
      .send(encoded ?? asset.body);
  });
}

/** The number of entries is limited by the number of assets and encodings. */
function rememberEncoded(): (asset: Asset, encoding: Encoding) => Promise<Buffer | undefined> {
  const known = new Map<string, Promise<Buffer | undefined>>();
  return ({ path, body }, encoding) => {
    const key = `${encoding} ${path}`;
    const work = known.get(key) ?? encode(body, encoding);
    known.set(key, work);
    return work;
  };
}
