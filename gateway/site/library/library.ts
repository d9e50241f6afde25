// /library and what a person does there: look, download, copy a link that opens for ten minutes. Pages and files.
import { z } from "zod";
import { fromMessages } from "../../../proto/codec.ts";
import { downloadSchema, libraryLicenceSchema } from "../../../proto/resources/library.ts";
import { searchWords } from "../../../proto/resources/product.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { pageQuery } from "../../http/query.ts";
import { renderPage } from "../layout/render-page.ts";
import { personCall } from "../session/current-person.ts";
import { downloadsPage } from "./downloads-page.ts";
import { type CopiedLink, libraryPage } from "./library-page.ts";
import { DOWNLOADS_PATH, filePath, LIBRARY_PATH, linkedFilePath } from "../layout/library-paths.ts";
import { sendProductFile } from "./send-product-file.ts";

const PAGE_SIZE = 25;
const MAX_ID = 64;

const fileParams = z.object({ file_id: z.string().max(MAX_ID) });
const cursorQuery = z.object({ cursor: pageQuery.cursor });
const listQuery = cursorQuery.extend({ search: searchWords.optional() });
/** What is no link of ours signs nothing, and is told so. */
const accessQuery = z.object({
  account: z.string().max(MAX_ID).catch(""),
  expires: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).catch(0),
  signature: z.string().max(100).catch(""),
});

export function libraryPages(app: GatewayApp, options: GatewayOptions): void {
  const { core } = options;

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    { cursor = "", search = "" }: z.output<typeof listQuery>,
    link?: CopiedLink,
  ) {
    const page = await core.library.ListLibrary({ limit: PAGE_SIZE, cursor, search }, personCall(request));
    const licences = fromMessages(libraryLicenceSchema, page.licences);
    const { person } = request;
    return renderPage(
      reply,
      libraryPage({
        person,
        licences,
        withdrawn: new Set(page.withdrawn_product_ids),
        cursor,
        search,
        nextCursor: page.next_cursor,
        ...(link && { link }),
      }),
    );
  }

  app.get(LIBRARY_PATH, { schema: { querystring: listQuery } }, (request, reply) =>
    show(request, reply, request.query),
  );

  app.post(
    `${filePath(":file_id")}/link`,
    { schema: { params: fileParams, querystring: listQuery } },
    async (request, reply) => {
      const link = await signLink(request, request.params.file_id, options);
      return show(request, reply, request.query, link);
    },
  );

  app.get(DOWNLOADS_PATH, { schema: { querystring: cursorQuery } }, async (request, reply) => {
    const { cursor = "" } = request.query;
    const page = await core.library.ListDownloads({ limit: PAGE_SIZE, cursor }, personCall(request));
    const downloads = fromMessages(downloadSchema, page.downloads);
    const { person } = request;
    const products = new Map(page.products.map((product) => [product.product_slug, product]));
    return renderPage(
      reply,
      downloadsPage({ person, downloads, products, cursor, nextCursor: page.next_cursor }),
    );
  });

  app.get(filePath(":file_id"), { schema: { params: fileParams } }, (request, reply) =>
    sendProductFile(request, reply, options, { asked: request.params, call: personCall(request) }),
  );
}

/** For whoever holds the link: the licence is still asked for. */
export function linkedFiles(app: GatewayApp, options: GatewayOptions): void {
  const schema = { params: fileParams, querystring: accessQuery };
  app.get(`${LIBRARY_PATH}/linked/:file_id`, { schema }, (request, reply) =>
    sendProductFile(request, reply, options, {
      asked: { ...request.params, signed: request.query },
      call: { requestId: request.id, address: request.ip },
    }),
  );
}

async function signLink(
  request: FastifyRequest,
  fileId: string,
  { core, baseUrl }: Pick<GatewayOptions, "core" | "baseUrl">,
): Promise<CopiedLink> {
  const { access, expires_at: expiresAt } = await core.library.SignFile(
    { file_id: fileId },
    personCall(request),
  );
  if (!access) throw new Error("core signed a link and did not say which");
  return { fileId, url: baseUrl + linkedFilePath(fileId, access), expiresAt };
}
