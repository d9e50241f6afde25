// GET /covers/{slug}.svg: a picture of a product without its own, drawn from its slug on request; `?view=2` and so on are further ones.
import { z } from "zod";
import { asCatalogError } from "../../edge/catalog-unavailable.ts";
import type { CoreClient } from "../../proto/client.ts";
import { AppError } from "../../proto/codes.ts";
import { MAX_SLUG_CHARACTERS } from "../../proto/resources/product.ts";
import { COVER_VIEWS, drawCover } from "../../runtime/covers/cover-art.ts";
import { CATALOG_DEADLINE_MS } from "../catalog/kept-answers.ts";
import type { GatewayApp } from "../gateway.ts";
import { type Access, callFor } from "../http/auth.ts";
import { sendDocument, staticDocument } from "../http/static-document.ts";
import { missingThings } from "../http/zod-schemas.ts";

/** A page of the catalog shows 50 covers, so they are counted separately from the questions that led to them. */
const access: Access = { by: "none", scope: "read", limit: "api" };
const slug = z
  .string()
  .min(1)
  .max(MAX_SLUG_CHARACTERS)
  .register(missingThings, { code: "product_not_found" });
/** An unknown view is the cover. */
const view = z.coerce.number().int().min(1).max(COVER_VIEWS).catch(1);
const HEADERS = {
  // A product's name hardly ever changes, and the ETag detects when it has.
  "cache-control": "public, max-age=86400, stale-while-revalidate=604800",
  // Opened directly, an SVG is a page of this origin.
  "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
};

export function coverRoutes(app: GatewayApp, core: CoreClient): void {
  app.get(
    "/covers/:slug.svg",
    {
      config: { access },
      schema: { hide: true, params: z.object({ slug }), querystring: z.object({ view }) },
    },
    async (request, reply) => {
      const { slug } = request.params;
      const call = { ...callFor(request), deadlineMs: CATALOG_DEADLINE_MS };
      const { product } = await core.catalog.GetProduct({ slug }, call).catch(asCatalogError);
      if (!product) throw new AppError("product_not_found");
      const { name, category = null, subcategory = null } = product;
      const svg = drawCover({ slug, name, category, subcategory }, request.query.view);
      return sendDocument(request, reply, staticDocument("image/svg+xml", svg, HEADERS));
    },
  );
}
