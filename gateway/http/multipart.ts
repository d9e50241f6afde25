// Bodies of forms with files (RFC 7578), part by part as they arrive: nothing of a file is kept here.
import { AppError } from "../../proto/codes.ts";

export const MULTIPART_TYPE = "multipart/form-data";

export type Part = {
  readonly name: string;
  /** Undefined if the part is not a file; empty if none was chosen. */
  readonly filename: string | undefined;
  /** Must be read before the next part; what is left of it is skipped. */
  readonly body: AsyncIterable<Buffer>;
};

const MAX_HEADER_BYTES = 8 * 1024;
/** Of everything; as large as the largest file, and a form around it. */
const MAX_FORM_BYTES = 208 * 2 ** 20;
const HEADER_END = Buffer.from("\r\n\r\n");

/** Throws invalid_request if the body is not such a form, or is truncated. */
export async function* readParts(stream: AsyncIterable<Buffer>, contentType: string): AsyncGenerator<Part> {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw unreadable();
  const border = Buffer.from(`\r\n--${boundary}`);
  const reader = createReader(stream);
  await passOver(reader.until(border));
  while ((await reader.take(2)).toString("latin1") === "\r\n") {
    const header = await text(reader.until(HEADER_END), MAX_HEADER_BYTES);
    const part = readHeader(header);
    yield { ...part, body: reader.until(border) };
    if (reader.isBefore(border)) await passOver(reader.until(border));
  }
}

/** All of it as text. Throws invalid_request beyond `maxBytes`. */
export async function text(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > maxBytes)
      throw unreadable("The form has more text than it may.", "has more text than it may");
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function readHeader(header: string): Pick<Part, "name" | "filename"> {
  const disposition = /^content-disposition:\s*form-data(;.*)$/im.exec(header)?.[1] ?? "";
  const name = /;\s*name="([^"]*)"/i.exec(disposition)?.[1];
  if (name === undefined) throw unreadable();
  return { name, filename: /;\s*filename="([^"]*)"/i.exec(disposition)?.[1] };
}

type Reader = {
  /** The bytes before `border`, which is consumed too. */
  until(border: Buffer): AsyncGenerator<Buffer>;
  /** Whether the last `until` of this border was left before it came to it. */
  isBefore(border: Buffer): boolean;
  take(bytes: number): Promise<Buffer>;
};

function createReader(stream: AsyncIterable<Buffer>): Reader {
  const pieces = stream[Symbol.asyncIterator]();
  // The first border is at the beginning of a line without a line before it.
  let held: Buffer = Buffer.from("\r\n");
  let open: Buffer | undefined;

  async function more(): Promise<void> {
    const { done, value } = await pieces.next();
    if (done) throw unreadable();
    held = held.length === 0 ? value : Buffer.concat([held, value]);
  }

  async function* upTo(border: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = held.indexOf(border);
      const ready = at >= 0 ? at : Math.max(0, held.length - border.length + 1);
      const piece = held.subarray(0, ready);
      held = held.subarray(at >= 0 ? at + border.length : ready);
      if (at >= 0) open = undefined;
      if (piece.length > 0) yield piece;
      if (at >= 0) return;
      await more();
    }
  }

  return {
    until(border) {
      open = border;
      return upTo(border);
    },
    isBefore: (border) => open === border,
    async take(bytes) {
      while (held.length < bytes) await more();
      const taken = held.subarray(0, bytes);
      held = held.subarray(bytes);
      return taken;
    },
  };
}

async function passOver(body: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of body);
}

function unreadable(
  message = "The form could not be read: it broke off or is malformed.",
  what = "is not a whole form",
): AppError {
  return new AppError("invalid_request", { message, issues: [{ path: "", message: what }] });
}

/** Throws upload_too_large beyond what a form may have. */
export async function* bounded(payload: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of payload) {
    bytes += piece.length;
    if (bytes > MAX_FORM_BYTES)
      throw new AppError("upload_too_large", { message: "The files of the form are too large together." });
    yield piece;
  }
}
