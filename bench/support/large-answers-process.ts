// A provider's server: /BYTES/file is a file of so many bytes, /BYTES/base64 JSON of so many bytes with a file in it.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream/promises";
import { answerParent } from "./child.ts";

const WEBM = Buffer.from([0x1a, 0x45, 0xdf, 0xa3]);
const PIECE_BYTES = 64 * 1024;

/** Begins with `head`, ends with `tail`, and is filled up with `filling` in between. */
function* fill(bytes: number, head: Buffer, filling: string, tail: string): Generator<Buffer> {
  yield head;
  const piece = Buffer.alloc(PIECE_BYTES, filling);
  for (let left = bytes - head.length - tail.length; left > 0; left -= PIECE_BYTES)
    yield left < PIECE_BYTES ? piece.subarray(0, left) : piece;
  yield Buffer.from(tail);
}

// A length that base64 can have.
const HEAD = Buffer.from(`{"data":"${Buffer.concat([WEBM, WEBM, WEBM]).toString("base64")}`);
const TAIL = '"} ';

const server = createServer((request, response) => {
  const [, length, form] = (request.url ?? "").split("/");
  const bytes = Number(length);
  response.writeHead(200, { "content-length": bytes });
  const pieces = form === "file" ? fill(bytes, WEBM, "\0", "") : fill(bytes, HEAD, "A", TAIL);
  // A worker that hangs up is none of its business.
  pipeline(pieces, response).catch(() => {});
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
answerParent(
  (server.address() as AddressInfo).port,
  async () => ({}),
  async () => void server.close(),
);
