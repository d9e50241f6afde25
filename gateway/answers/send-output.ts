// A file that a job made or was given, whole or in ranges: for programs with a key or a signed URL, for a person's page with a session.
import type { FastifyReply, FastifyRequest } from "fastify";
import { clientGone } from "../../edge/http/client-gone.ts";
import type { CallOptions } from "../../proto/client.ts";
import { AppError } from "../../proto/codes.ts";
import type { OutputHead } from "../../proto/types/atelier/v1/OutputHead.ts";
import type { ReadOutputChunk } from "../../proto/types/atelier/v1/ReadOutputChunk.ts";
import type { ReadOutputRequestInput } from "../../proto/types/atelier/v1/ReadOutputRequest.ts";
import type { GatewayOptions } from "../gateway.ts";
import { contentDisposition, fileName, SHOWN_TYPES } from "./file-names.ts";
import { HEAD_DEADLINE_MS, sendFile } from "./send-file.ts";

/** The types that models make today. For generated clients, octet-stream stands for types that new models may add. */
export const OUTPUT_TYPES = ["application/octet-stream", ...SHOWN_TYPES];

type Signed = Pick<ReadOutputRequestInput, "signed">;
export type OutputAddress = { job_id: string; output_id: string } & Signed;

/** Of a public link, the file itself or its thumbnail. */
export type SharedAddress = { share_id: string; output_id: string };

/** Of a job, the file of one param. */
export type InputAddress = { job_id: string; param: string } & Signed;

export type OutputOptions = Pick<GatewayOptions, "core" | "config"> & {
  /** Who asks, where no signature says so. */
  call: CallOptions;
  asked: OutputAddress | SharedAddress | InputAddress;
  /** Default: its reader may cache the file until it expires. */
  cacheControl?: string;
};

/** Throws not_found, alike for a file that never existed, is another account's or has expired; range_not_satisfiable. */
export async function sendOutput(
  request: FastifyRequest,
  reply: FastifyReply,
  { core, config, call: caller, asked, cacheControl }: OutputOptions,
): Promise<FastifyReply> {
  const call = { ...caller, signal: clientGone(reply) };
  const [name, read]: [string, Read] =
    "param" in asked
      ? [asked.param, (part, options) => core.jobs.ReadInput({ ...asked, ...part }, options)]
      : [asked.output_id, (part, options) => core.jobs.ReadOutput({ ...asked, ...part }, options)];
  const head = await readHead(read, call);
  return sendFile(request, reply, {
    bytes: head.bytes,
    sha256: head.sha256,
    headers: fileHeaders(head, name, cacheControl),
    stallMs: config.stallMs,
    read: (part) => read(part, call),
  });
}

type Part = { offset: number; length: number } | { head_only: true };
type Read = (part: Part, options: CallOptions) => AsyncIterable<ReadOutputChunk>;

async function readHead(read: Read, call: CallOptions): Promise<OutputHead> {
  for await (const { head } of read({ head_only: true }, { ...call, deadlineMs: HEAD_DEADLINE_MS })) {
    if (head) return head;
  }
  throw new AppError("not_found");
}

function fileHeaders(head: OutputHead, id: string, cacheControl: string | undefined): Record<string, string> {
  const secondsLeft = Math.max(0, Math.floor((Date.parse(head.expires_at) - Date.now()) / 1000));
  const { mime_type: mimeType, prompt, ordinal } = head;
  return {
    "content-type": mimeType,
    // Types that a browser may show; others are sent as a download.
    "content-disposition": contentDisposition(
      SHOWN_TYPES.includes(mimeType) ? "inline" : "attachment",
      fileName({ prompt, ordinal, fallback: id }, mimeType),
    ),
    "cache-control": cacheControl ?? `private, max-age=${secondsLeft}, immutable`,
  };
}
