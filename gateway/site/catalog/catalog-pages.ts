// The pages about the catalog: /, /products and /products/{slug}. They take what the API takes and ask what it asks.
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { CallOptions } from "../../../proto/client.ts";
import { parseListQuery } from "../../catalog/list-query.ts";
import { CATALOG_DEADLINE_MS } from "../../catalog/kept-answers.ts";
import type { SiteOptions } from "../layout/site-options.ts";
import { PRODUCTS_PATH, productPath } from "../layout/product-paths.ts";
import { productsAddress } from "./address.ts";
import { askList, askMembersTier, askOwner, askProduct, askShowcase } from "./ask-catalog.ts";
import { landingPage } from "./landing-page.ts";
import { listPage } from "./list-page.ts";
import { productPage } from "./product-page.ts";
import { personCall } from "../session/current-person.ts";
import { serveDocument } from "./serve-document.ts";
import { INDEXED, OPEN } from "../../http/crawlers.ts";

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
        ask: async (person) => {
          const view = await askProduct(core, slug, callOf(request));
          const { product } = view;
          const [{ payments }, membersTier, owner] = await Promise.all([
            core.orders.DescribeShop({}, callOf(request)),
            product.plus_only ? askMembersTier(core, callOf(request)) : undefined,
            person && askOwner(core, product, personCall(request, person)),
          ]);
          const buyer = {
            takesPayments: payments !== "",
            membersTier,
            ...(person && owner && { owner: { person, ...owner } }),
          };
          return { ...view, page: productPage(view, { baseUrl, ...buyer }) };
        },
      };
    }),
  );
}

function callOf({ id }: FastifyRequest): CallOptions {
  return { requestId: id, deadlineMs: CATALOG_DEADLINE_MS };
}
