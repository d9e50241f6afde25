// Pictures for shared links and home screens: /social.png, /social/{slug}.png and /apple-touch-icon.png. They are made at the first
// request, one at a time, and kept while there is space.
import { z } from "zod";
import { asCatalogError } from "../../edge/catalog-unavailable.ts";
import { AppError } from "../../proto/codes.ts";
import { MAX_SLUG_CHARACTERS } from "../../proto/resources/product.ts";
import { drawSocialPicture, drawTouchIcon, type SocialPicture } from "../answers/social-picture.ts";
import { CATALOG_DEADLINE_MS } from "../catalog/kept-answers.ts";
import type { GatewayApp, GatewayOptions } from "../gateway.ts";
import { callFor, PUBLIC } from "../http/auth.ts";
import { sendDocument, type StaticDocument, staticDocument } from "../http/static-document.ts";
import { missingThings } from "../http/zod-schemas.ts";

/** Each has some 30 kB. */
const MAX_KEPT = 200;
/**
 * If this many requests wait, further ones are refused with a retry time: each picture takes a tenth of a second of this process's threads.
 */
const MAX_WAITING = 20;
const RETRY_SECONDS = 2;
const PNG = "image/png";
const HEADERS = { "cache-control": "public, max-age=86400, stale-while-revalidate=604800" };
const slug = z
  .string()
  .min(1)
  .max(MAX_SLUG_CHARACTERS)
  .register(missingThings, { code: "product_not_found" });

export function socialRoutes(app: GatewayApp, { core }: GatewayOptions): void {
  const pictureOf = createPictures();
  const options = { config: { access: PUBLIC }, schema: { hide: true } };

  app.get("/social.png", options, async (request, reply) =>
    sendDocument(
      request,
      reply,
      await pictureOf("", () =>
        drawSocialPicture({
          title: "Take it from the shelf, or have it made.",
          line: "Digital products to build with, and a studio that makes what is missing.",
        }),
      ),
    ),
  );

  app.get("/apple-touch-icon.png", options, async (request, reply) =>
    sendDocument(request, reply, await pictureOf("icon", drawTouchIcon)),
  );

  app.get(
    "/social/:slug.png",
    { config: { access: PUBLIC }, schema: { hide: true, params: z.object({ slug }) } },
    async (request, reply) => {
      const { slug } = request.params;
      const call = { ...callFor(request), deadlineMs: CATALOG_DEADLINE_MS };
      const { product } = await core.catalog.GetProduct({ slug }, call).catch(asCatalogError);
      if (!product) throw new AppError("product_not_found");
      const { name, tagline, category = null, subcategory = null } = product;
      const wanted: SocialPicture = {
        title: name,
        line: tagline ?? "",
        cover: { slug, name, category, subcategory },
      };
      return sendDocument(
        request,
        reply,
        await pictureOf(JSON.stringify(wanted), () => drawSocialPicture(wanted)),
      );
    },
  );
}

/** The pictures by their content, the oldest forgotten first. Concurrent requests for the same picture share one. */
function createPictures(): (key: string, draw: () => Promise<Buffer>) => Promise<StaticDocument> {
  const kept = new Map<string, Promise<StaticDocument>>();
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return (key, draw) => {
    const known = kept.get(key);
    if (known) return known;
    if (waiting >= MAX_WAITING)
      throw new AppError("service_unavailable", { retryAfterSeconds: RETRY_SECONDS });
    waiting += 1;
    const made = last
      .then(draw)
      .then((picture) => staticDocument(PNG, picture, HEADERS))
      .finally(() => (waiting -= 1));
    last = made.catch(() => kept.delete(key));
    kept.set(key, made);
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return made;
  };
}
