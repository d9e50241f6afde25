// Passes a file for verification to core in chunks, without storing it.
import type { FastifyReply, FastifyRequest } from "fastify";
import { clientGone } from "../../edge/http/client-gone.ts";
import type { CoreClient } from "../../proto/client.ts";
import { fromMessage } from "../../proto/codec.ts";
import { AppError } from "../../proto/codes.ts";
import {
  MAX_VERIFIED_BYTES,
  SMALL_VERIFIED_BYTES,
  type VerifiedFile,
  verifiedFileSchema,
} from "../../proto/resources/verified-file.ts";
import type { Config } from "../../runtime/config/config.ts";
import { addressSubject } from "../../runtime/networks.ts";
import { callFor } from "../http/auth.ts";
import { piecesOf } from "./take-file.ts";

/** Sending and checking together: shorter than for files that are kept, because anyone may send one. */
const DEADLINE_MS = 3 * 60_000;
/** A large file holds memory that others wait for, so it has to arrive at 2 Mbit/s, after some slower time. */
const LEAST_BYTES_PER_MS = 250;
/** A form around the file. */
const FORM_BYTES = 8 * 1024;
const MIB = 2 ** 20;

/** `file` is given where the body holds more than the file. Throws core's refusals. */
export async function verifyFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { core, config, file }: { core: CoreClient; config: Config; file?: AsyncIterable<Buffer> },
): Promise<VerifiedFile> {
  refuseHuge(request);
  if (request.headers.expect !== undefined) reply.raw.writeContinue();
  const { stallMs } = config;
  const pace = { stallMs, freeBytes: SMALL_VERIFIED_BYTES, leastBytesPerMs: LEAST_BYTES_PER_MS };
  const verified = await core.jobs.VerifyFile(piecesOf(request, pace, file), {
    ...callFor(request),
    address: addressSubject(request.ip),
    signal: clientGone(reply),
    deadlineMs: DEADLINE_MS,
  });
  return fromMessage(verifiedFileSchema, verified);
}

/** From Content-Length alone, where it is sent; core counts the bytes of every file. */
function refuseHuge({ headers }: FastifyRequest): void {
  const bytes = Number(headers["content-length"] ?? 0);
  if (bytes <= MAX_VERIFIED_BYTES + FORM_BYTES) return;
  throw new AppError("upload_too_large", {
    message: `The file has ${Math.floor(bytes / MIB)} MiB; one that is verified may have at most ${MAX_VERIFIED_BYTES / MIB} MiB.`,
    hint: "Look up its SHA-256 with GET /api/outputs/verify?sha256= instead.",
  });
}
