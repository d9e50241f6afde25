// Says in the file itself that it was generated: an algorithm's work by the IPTC's words, with model, job and the prompt's digest.
// Nothing of the prompt can be read from it.
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Piece } from "./maker.ts";
import { escapeText } from "./scene/svg.ts";
import { riff } from "./sound.ts";

export type Origin = {
  readonly model: string;
  readonly job: string;
  readonly prompt: string;
  readonly inputs?: ReadonlyMap<string, Uint8Array>;
};

const SOURCE_TYPES = "http://cv.iptc.org/newscodes/digitalsourcetype/";
const PNG_HEAD_BYTES = 33;
/** Of a box that holds XMP, in files of ISO 14496-12. */
const XMP_BOX = Buffer.from("be7acfcb97a942e89c71999491e3afac", "hex");

/** The piece with its origin written into it, where its kind of file has room for that. */
export function mark(piece: Piece, { model, job, prompt, inputs }: Origin): Piece {
  const facts = {
    // Made by rules, not by a model that was trained on the works of others; or somebody's own file, changed by rules.
    type: `${SOURCE_TYPES}${inputs && inputs.size > 0 ? "algorithmicallyEnhanced" : "algorithmicMedia"}`,
    tool: `Atelier, ${model}`,
    job,
    digest: createHash("sha256").update(prompt).digest("hex"),
  };
  const write = WRITERS[piece.mimeType];
  return write ? { ...piece, bytes: write(Buffer.from(piece.bytes), facts) } : piece;
}

type Facts = { readonly type: string; readonly tool: string; readonly job: string; readonly digest: string };

const WRITERS: Record<string, (bytes: Buffer, facts: Facts) => Buffer> = {
  /** A text chunk behind the header, as XMP has it. */
  "image/png": (bytes, facts) => {
    const body = Buffer.concat([Buffer.from("iTXtXML:com.adobe.xmp\0\0\0\0\0", "latin1"), xmp(facts)]);
    const chunk = Buffer.concat([uint32(body.length - 4), body, uint32(crc32(body))]);
    return Buffer.concat([bytes.subarray(0, PNG_HEAD_BYTES), chunk, bytes.subarray(PNG_HEAD_BYTES)]);
  },
  /** A box at the end, which moves nothing that others point to. */
  "video/mp4": (bytes, facts) => {
    const body = Buffer.concat([Buffer.from("uuid"), XMP_BOX, xmp(facts)]);
    return Buffer.concat([bytes, uint32(body.length + 4), body]);
  },
  /** A list of remarks behind the sound. */
  "audio/wav": (bytes, { type, tool, job, digest }) => {
    const remarks = { ISFT: tool, ICMT: `Generated: ${type}; job ${job}; prompt SHA-256 ${digest}` };
    const entries = Object.entries(remarks).map(([name, text]) => riff(name, Buffer.from(`${text}\0`)));
    const marked = Buffer.concat([bytes, riff("LIST", Buffer.concat([Buffer.from("INFO"), ...entries]))]);
    marked.writeUInt32LE(marked.length - 8, 4);
    return marked;
  },
};

function xmp({ type, tool, job, digest }: Facts): Buffer {
  return Buffer.from(
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ` +
      `xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atelier="urn:atelier:origin" ` +
      `Iptc4xmpExt:DigitalSourceType="${type}" xmp:CreatorTool="${escapeText(tool)}" dc:identifier="${escapeText(job)}" atelier:promptSha256="${digest}"/></rdf:RDF></x:xmpmeta>`,
  );
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
