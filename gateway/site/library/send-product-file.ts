// A product's file, for who holds a licence of it: as a download, whole or in part.
import type { FastifyReply, FastifyRequest } from "fastify";
import type { CallOptions } from "../../../proto/client.ts";
import { AppError } from "../../../proto/codes.ts";
import type { ProductFileHead } from "../../../proto/types/atelier/v1/ProductFileHead.ts";
import type { ReadProductFileRequestInput } from "../../../proto/types/atelier/v1/ReadProductFileRequest.ts";
import { clientGone } from "../../../edge/http/client-gone.ts";
import { HEAD_DEADLINE_MS, sendFile } from "../../answers/send-file.ts";
import type { GatewayOptions } from "../../gateway.ts";

/** Throws not_found, alike for a file that never existed and one that is not theirs; range_not_satisfiable. */
export async function sendProductFile(
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
      // Whoever uses the browser after them is asked who they are.
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
