// /library and what a person does there: look, download, copy a link that opens for ten minutes. Pages and files.
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { clientGone } from "../../../edge/http/client-gone.ts";
import type { CallOptions } from "../../../proto/client.ts";
import { fromMessages } from "../../../proto/codec.ts";
import { AppError } from "../../../proto/codes.ts";
import { downloadSchema, libraryLicenceSchema } from "../../../proto/resources/library.ts";
import { searchWords } from "../../../proto/resources/product.ts";
import type { ProductFileHead } from "../../../proto/types/atelier/v1/ProductFileHead.ts";
import type { ReadProductFileRequestInput } from "../../../proto/types/atelier/v1/ReadProductFileRequest.ts";
import { HEAD_DEADLINE_MS, sendFile } from "../../answers/send-file.ts";
import type { GatewayApp, GatewayOptions } from "../../gateway.ts";
import { pageQuery } from "../../http/query.ts";
import { DOWNLOADS_PATH, filePath, LIBRARY_PATH, linkedFilePath } from "../layout/library-paths.ts";
import { renderPage } from "../layout/render-page.ts";
import { personCall } from "../session/current-person.ts";
import { downloadsPage } from "./downloads-page.ts";
import { type CopiedLink, libraryPage } from "./library-page.ts";

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

/** For everyone who has the link: the licence is still asked for. */
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

/** Throws not_found, alike for a file that never existed and one that is not theirs; range_not_satisfiable. */
async function sendProductFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { core, config }: Pick<GatewayOptions, "core" | "config">,
  { asked, call: caller }: { asked: ReadProductFileRequestInput; call: CallOptions },
): Promise<FastifyReply> {
  const call = { ...caller, signal: clientGone(reply) };
  const { file } = await readHead(core, asked, call);
  if (!file) throw new Error("core told of a file and not which");
  const { name, bytes, sha256, media_type } = file;
  return sendFile(request, reply, {
    bytes,
    sha256,
    stallMs: config.stallMs,
    headers: {
      "content-type": media_type,
      // Names have no sign that would have to be escaped.
      "content-disposition": `attachment; filename="${name}"`,
      // The next person at the browser is asked to sign in.
      "cache-control": "private, no-cache",
      "repr-digest": `sha-256=:${Buffer.from(sha256, "hex").toString("base64")}:`,
    },
    read: (part) => core.library.ReadProductFile({ ...asked, ...part }, call),
  });
}

async function readHead(
  core: GatewayOptions["core"],
  asked: ReadProductFileRequestInput,
  call: CallOptions,
): Promise<ProductFileHead> {
  const messages = core.library.ReadProductFile(
    { ...asked, head_only: true },
    { ...call, deadlineMs: HEAD_DEADLINE_MS },
  );
  for await (const { head } of messages) if (head) return head;
  throw new AppError("not_found");
}
