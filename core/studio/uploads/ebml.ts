// Walks through EBML elements (RFC 8794) in memory and replaces those that are not kept by void elements. This file is pure.
import { damaged } from "./byte-reader.ts";

export type Element = {
  readonly id: number;
  /** In place: what is written there is written to the file. */ readonly content: Buffer;
};

/** Decides for each element whether it stays, stays without content, or becomes void. Changes `content`. */
export function scrubElements(content: Buffer, judge: (element: Element) => "keep" | "empty" | "void"): void {
  let at = 0;
  while (at < content.length) {
    const { id, start, end } = elementAt(content, at);
    const inside = content.subarray(start, end);
    const verdict = judge({ id, content: inside });
    if (verdict !== "keep") inside.fill(0);
    if (verdict === "void") {
      content.fill(0, at, end);
      voidHeader(end - at).copy(content, at);
    }
    at = end;
  }
}

function elementAt(content: Buffer, at: number): { id: number; start: number; end: number } {
  const idBytes = Math.clz32(content[at] ?? 0) - 23;
  const sizeAt = at + idBytes;
  const sizeBytes = Math.clz32(content[sizeAt] ?? 0) - 23;
  const start = sizeAt + sizeBytes;
  if (idBytes > 4 || sizeBytes > 8 || start > content.length) throw damaged("video");
  const first = (content[sizeAt] ?? 0) & (0xff >> sizeBytes);
  const end = start + content.subarray(sizeAt + 1, start).reduce((sum, byte) => sum * 256 + byte, first);
  if (end > content.length) throw damaged("video");
  return { id: content.readUIntBE(at, idBytes), start, end };
}

/** The header of a void element with this total size, which is at least two bytes. */
export function voidHeader(bytes: number): Buffer {
  if (bytes < 9) return Buffer.from([0xec, 0x80 | (bytes - 2)]);
  const header = Buffer.alloc(9);
  header.writeBigUInt64BE((1n << 56n) | BigInt(bytes - 9), 1);
  header[0] = 0xec;
  return header;
}

export function readUint(content: Buffer): number {
  return content.reduce((sum, byte) => sum * 256 + byte, 0);
}

export function readFloat(content: Buffer): number {
  const value =
    content.length === 4 ? content.readFloatBE(0) : content.length === 8 ? content.readDoubleBE(0) : 0;
  return Number.isFinite(value) ? value : 0;
}
