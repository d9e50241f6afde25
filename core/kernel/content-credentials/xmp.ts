// IPTC metadata in a file: that software generated it, with which model and for which job. Readers that know no Content Credentials find
// it.
import { crc32 } from "node:zlib";

export type Origin = { readonly sourceType: string; readonly model: string; readonly jobId: string };

/** For WebP, whose header has the size of the picture. */
type Size = { readonly width?: number; readonly height?: number };

/** Puts the packet into a file, or returns undefined if the file has no space for it. */
type Writer = (file: Buffer, origin: Origin, size: Size) => Buffer | undefined;

const PNG_HEAD_BYTES = 33;
/** Names the content of a box in files of ISO 14496-12. */
const XMP_BOX = Buffer.from("be7acfcb97a942e89c71999491e3afac", "hex");
const JPEG_START = 0xffd8;
const JPEG_APP0 = 0xffe0;
const JPEG_APP1 = 0xffe1;
const JPEG_XMP = "http://ns.adobe.com/xap/1.0/\0";
const RIFF_HEAD_BYTES = 12;
const WEBP_HAS_ALPHA = 0x10;
const WEBP_HAS_XMP = 0x04;

/** Returns the file with its origin written into it, or the file itself if its kind has no place for XMP or it has some already. */
export function withXmp(file: Uint8Array, mimeType: string, origin: Origin, size: Size = {}): Uint8Array {
  const write = WRITERS[mimeType];
  const buffer = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (!write || buffer.includes("<x:xmpmeta")) return file;
  return write(buffer, origin, size) ?? file;
}

const WRITERS: Readonly<Record<string, Writer>> = {
  "image/png": writePng,
  "image/jpeg": writeJpeg,
  "image/webp": writeWebp,
  "video/mp4": writeBox,
  "audio/mp4": writeBox,
  "audio/wav": writeWav,
};

/** A text chunk after the header. */
function writePng(file: Buffer, origin: Origin): Buffer | undefined {
  if (file.length < PNG_HEAD_BYTES || file.toString("latin1", 12, 16) !== "IHDR") return undefined;
  const body = Buffer.concat([Buffer.from("iTXtXML:com.adobe.xmp\0\0\0\0\0", "latin1"), packet(origin)]);
  const chunk = Buffer.concat([uint32(body.length - 4), body, uint32(crc32(body))]);
  return Buffer.concat([file.subarray(0, PNG_HEAD_BYTES), chunk, file.subarray(PNG_HEAD_BYTES)]);
}

/** A segment after that of JFIF, which has to come first. */
function writeJpeg(file: Buffer, origin: Origin): Buffer | undefined {
  if (file.length < 6 || file.readUInt16BE(0) !== JPEG_START) return undefined;
  const at = file.readUInt16BE(2) === JPEG_APP0 ? 4 + file.readUInt16BE(4) : 2;
  const body = Buffer.concat([Buffer.from(JPEG_XMP, "latin1"), packet(origin)]);
  const head = Buffer.alloc(4);
  head.writeUInt16BE(JPEG_APP1, 0);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([file.subarray(0, at), head, body, file.subarray(at)]);
}

/** A chunk at the end, which the header of an extended file announces. */
function writeWebp(file: Buffer, origin: Origin, size: Size): Buffer | undefined {
  if (file.length < RIFF_HEAD_BYTES + 8) return undefined;
  const first = file.toString("latin1", 12, 16);
  const extended = first === "VP8X" ? Buffer.from(file.subarray(12, 30)) : extendedHeader(file, size);
  if (!extended || extended.length < 18) return undefined;
  extended.writeUInt8(extended.readUInt8(8) | WEBP_HAS_XMP, 8);
  const rest = file.subarray(first === "VP8X" ? 30 : RIFF_HEAD_BYTES);
  return riffFile("WEBP", [extended, rest, chunk("XMP ", packet(origin))]);
}

function extendedHeader(file: Buffer, { width, height }: Size): Buffer | undefined {
  if (!width || !height) return undefined;
  const body = Buffer.alloc(10);
  // Only the lossless kind has transparency without this header: a bit after its signature and the size.
  const isLossless = file.toString("latin1", 12, 16) === "VP8L";
  if (isLossless && ((file[24] ?? 0) & WEBP_HAS_ALPHA) !== 0) body.writeUInt8(WEBP_HAS_ALPHA, 0);
  body.writeUIntLE(width - 1, 4, 3);
  body.writeUIntLE(height - 1, 7, 3);
  return chunk("VP8X", body);
}

/** A box at the end, which moves nothing that others point to. */
function writeBox(file: Buffer, origin: Origin): Buffer | undefined {
  if (!endsWithItsLastBox(file)) return undefined;
  const body = Buffer.concat([Buffer.from("uuid"), XMP_BOX, packet(origin)]);
  return Buffer.concat([file, uint32(body.length + 4), body]);
}

/** A last box without a length would include whatever follows it. */
function endsWithItsLastBox(file: Buffer): boolean {
  let at = 0;
  while (at + 8 <= file.length) {
    const short = file.readUInt32BE(at);
    const isLong = short === 1 && at + 16 <= file.length;
    const bytes = isLong ? Number(file.readBigUInt64BE(at + 8)) : short;
    if (bytes < 8) return false;
    at += bytes;
  }
  return at === file.length;
}

/** A list of comments after the sound, which players of WAV show. */
function writeWav(file: Buffer, { sourceType, model, jobId }: Origin): Buffer | undefined {
  // Streams do not know their length in advance and write a placeholder.
  if (file.length < RIFF_HEAD_BYTES || file.readUInt32LE(4) + 8 !== file.length) return undefined;
  const remarks = { ISFT: `Atelier, ${model}`, ICMT: `Generated: ${sourceType}; job ${jobId}` };
  const entries = Object.entries(remarks).map(([name, text]) => chunk(name, Buffer.from(`${text}\0`)));
  const list = chunk("LIST", Buffer.concat([Buffer.from("INFO"), ...entries]));
  return riffFile("WAVE", [file.subarray(RIFF_HEAD_BYTES), list]);
}

function riffFile(kind: string, parts: readonly Buffer[]): Buffer {
  return chunk("RIFF", Buffer.concat([Buffer.from(kind), ...parts]));
}

function chunk(name: string, body: Buffer): Buffer {
  const head = Buffer.from(`${name}____`, "latin1");
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

function packet({ sourceType, model, jobId }: Origin): Buffer {
  return Buffer.from(
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ` +
      `xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" ` +
      `Iptc4xmpExt:DigitalSourceType="${sourceType}" xmp:CreatorTool="Atelier, ${escapeXml(model)}" dc:identifier="${escapeXml(jobId)}"/></rdf:RDF></x:xmpmeta>`,
  );
}

function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
