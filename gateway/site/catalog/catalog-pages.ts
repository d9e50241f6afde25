// The pages about the catalog: /, /products and /products/{slug}, with its forms for reviews and alerts. They take what the API takes and
// ask what it asks.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { CallOptions } from "../../../proto/client.ts";
import { AppError, ERROR_TABLE } from "../../../proto/codes.ts";
import { CATALOG_DEADLINE_MS } from "../../catalog/kept-answers.ts";
import { parseListQuery } from "../../catalog/list-query.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { INDEXED, OPEN } from "../../http/crawlers.ts";
import { PRODUCTS_PATH, productPath } from "../layout/product-paths.ts";
import { renderPage } from "../layout/render-page.ts";
import type { SiteOptions } from "../layout/site-options.ts";
import { type Person, personCall } from "../session/current-person.ts";
import { type Form, formOf } from "../session/forms.ts";
import { productsAddress } from "./address.ts";
import { askList, askMembersTier, askOwner, askProduct, askShowcase } from "./ask-catalog.ts";
import { landingPage } from "./landing-page.ts";
import { listPage } from "./list-page.ts";
import { productPage } from "./product-page.ts";
import type { TypedReview } from "./reviews-section.ts";
import { type Document, serveDocument } from "./serve-document.ts";

export function catalogPages(app: FastifyInstance, options: SiteOptions): void {
  const { core, baseUrl } = options;

  app.get("/", INDEXED, (request, reply) =>
    serveDocument(request, reply, options, () => ({
      address: "/",
      ask: async () => {
        const view = await askShowcase(core, callOf(request));
        return { ...view, page: landingPage(view, baseUrl) };
      },
    })),
  );

  app.get(PRODUCTS_PATH, INDEXED, (request, reply) =>
    serveDocument(request, reply, options, () => {
      const query = parseListQuery({ ...(request.query as object) });
      return {
        address: productsAddress(query, { page: query.page }),
        ask: async () => {
          const view = await askList(core, query, callOf(request));
          return { ...view, page: listPage(view, baseUrl) };
        },
      };
    }),
  );

  app.get<{ Params: { slug: string } }>(`${PRODUCTS_PATH}/:slug`, OPEN, (request, reply) =>
    serveDocument(request, reply, options, () => {
      const slug = request.params.slug.toWellFormed();
      return {
        address: productPath(slug),
        ask: (person) => {
          const kept = person && app.sessions.keptForms.take(request, reply, person);
          const draft = kept && { typed: typedReview(kept) };
          return productDocument(request, options, { slug, person, draft });
        },
      };
    }),
  );
}

const params = z.object({ slug: z.string() });

export function productForms(app: GatewayApp, options: GatewayOptions): void {
  const { library } = options.core;
  for (const [end, wanted] of [
    ["", true],
    ["/end", false],
  ] as const)
    app.post(`${PRODUCTS_PATH}/:slug/alert${end}`, { schema: { params } }, async (request, reply) => {
      const slug = request.params.slug.toWellFormed();
      await library.SetProductAlert({ product_slug: slug, wanted }, personCall(request));
      return reply.redirect(`${productPath(slug)}#buy`, 303);
    });
  reviewForms(app, options);
}

function reviewForms(app: GatewayApp, options: GatewayOptions): void {
  const { library } = options.core;
  const path = `${PRODUCTS_PATH}/:slug/review`;

  app.post(path, { schema: { params }, config: { keepsForm: true } }, async (request, reply) => {
    const { person } = request;
    const slug = request.params.slug.toWellFormed();
    const typed = typedReview(formOf(request));
    try {
      await library.PutReview({ product_slug: slug, ...typed }, personCall(request));
    } catch (refusal) {
      if (!(refusal instanceof AppError) || refusal.code !== "invalid_request") throw refusal;
      const draft = { typed, refusal };
      const { page } = await productDocument(request, options, { slug, person, draft });
      return renderPage(reply, { ...page, person, status: ERROR_TABLE[refusal.code].http });
    }
    return reply.redirect(`${productPath(slug)}#reviews`, 303);
  });

  app.post(`${path}/remove`, { schema: { params } }, async (request, reply) => {
    const slug = request.params.slug.toWellFormed();
    await library.RemoveReview({ product_slug: slug }, personCall(request));
    return reply.redirect(`${productPath(slug)}#reviews`, 303);
  });
}

function typedReview(form: Form): TypedReview["typed"] {
  const stars = form.get("stars");
  return { stars: /^\d$/.test(stars) ? Number(stars) : 0, text: form.get("text"), name: form.get("name") };
}

async function productDocument(
  request: FastifyRequest,
  { core, baseUrl }: Pick<GatewayOptions, "core" | "baseUrl">,
  { slug, person, draft }: { slug: string; person?: Person | undefined; draft?: TypedReview | undefined },
): Promise<Document> {
  const call = callOf(request);
  const own = person && personCall(request, person);
  const view = await askProduct(core, slug, { call, own });
  const { product } = view;
  const [{ payments }, membersTier, owner] = await Promise.all([
    core.orders.DescribeShop({}, call),
    product.plus_only ? askMembersTier(core, call) : undefined,
    own && askOwner(core, product, own),
  ]);
  const buyer = {
    takesPayments: payments !== "",
    membersTier,
    ...(person && owner && { owner: { person, ...owner } }),
  };
  return { ...view, page: productPage(view, { baseUrl, draft, ...buyer }) };
}

function callOf({ id }: FastifyRequest): CallOptions {
  return { requestId: id, deadlineMs: CATALOG_DEADLINE_MS };
}
