// The tables of an MP4 in memory: the boxes that they may contain, and the kinds of their tracks. Other boxes are removed.
import type { Box } from "../../adapters/providers/mp4.ts";
import { damaged } from "./byte-reader.ts";
import { unsupported } from "./rules.ts";

/** The boxes that each container may hold. */
const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  moov: ["mvhd", "trak", "mvex"],
  trak: ["tkhd", "edts", "mdia", "tref"],
  edts: ["elst"],
  mdia: ["mdhd", "hdlr", "minf", "elng"],
  minf: ["vmhd", "smhd", "nmhd", "dinf", "stbl"],
  dinf: ["dref"],
  stbl: "stsd stts ctts cslg stsc stsz stz2 stco co64 stss stsh sdtp sbgp sgpd subs saiz saio".split(" "),
  mvex: ["mehd", "trex", "leva"],
  moof: ["mfhd", "traf"],
  traf: "tfhd trun tfdt sbgp sgpd subs saiz saio sdtp".split(" "),
};
const HANDLER_NAME_AT = 24;
const KNOWN_TRACKS: ReadonlySet<string> = new Set(["vide", "soun"]);
/** A timecode track, which contains only times of recording. */
const CLOCK = "tmcd";

/** Turns everything that is not needed for playback into free space. `whole` is one box of this type with its header. */
export function scrubBoxes(whole: Buffer, type: string): void {
  scrub(whole, 8 + (whole.readUInt32BE(0) === 1 ? 8 : 0), whole.length, type);
}

function scrub(whole: Buffer, from: number, to: number, container: string): void {
  const allowed = CHILDREN[container] ?? [];
  let at = from;
  while (at < to) {
    if (at + 8 > to) throw damaged("video");
    const size = whole.readUInt32BE(at);
    const type = whole.toString("latin1", at + 4, at + 8);
    // No table needs the 64-bit size.
    if (size < 8 || at + size > to) throw damaged("video");
    const [start, end] = [at + 8, at + size];
    if (!allowed.includes(type) || (type === "trak" && handlerOf(whole, start, end) === CLOCK))
      free(whole, at, end);
    else if (type === "dref") checkReferences(whole, start, end);
    else if (type === "hdlr") whole.fill(0, Math.min(end, start + HANDLER_NAME_AT), end);
    else if (CHILDREN[type]) scrub(whole, start, end, type);
    at = end;
  }
}

function free(whole: Buffer, at: number, end: number): void {
  whole.write("free", at + 4, "latin1");
  whole.fill(0, at + 8, end);
}

/** The facts about a track before its removal of metadata. */
function handlerOf(whole: Buffer, from: number, to: number): string | undefined {
  for (let at = from; at + 8 <= to;) {
    const size = whole.readUInt32BE(at);
    const type = whole.toString("latin1", at + 4, at + 8);
    if (size < 8 || at + size > to) return undefined;
    if (type === "mdia") return handlerOf(whole, at + 8, at + size);
    if (type === "hdlr" && size >= 20) return whole.toString("latin1", at + 16, at + 20);
    at += size;
  }
  return undefined;
}

/** All media data must be in the file: a reference to another file is refused. */
function checkReferences(whole: Buffer, from: number, to: number): void {
  if (to - from < 8) throw damaged("video");
  let at = from + 8;
  for (let left = whole.readUInt32BE(from + 4); left > 0; left--) {
    if (at + 12 > to) throw damaged("video");
    const size = whole.readUInt32BE(at);
    const isInside = whole.toString("latin1", at + 4, at + 8) === "url " && whole.readUInt32BE(at + 8) === 1;
    if (size < 12 || at + size > to) throw damaged("video");
    if (!isInside || size !== 12)
      throw unsupported("The file sends its player to another place.", "Export it with everything in it.");
    at += size;
  }
}

/** `boxes` are all boxes of the table. Throws for tracks other than picture and sound. */
export function readTracks(moov: Buffer, boxes: readonly Box[]): { hasVideo: boolean; lastOffset: number } {
  const kinds = boxes.flatMap(({ type, start, end }) =>
    type === "hdlr" && end - start >= 12 ? [moov.toString("latin1", start + 8, start + 12)] : [],
  );
  const foreign = kinds.find((kind) => !KNOWN_TRACKS.has(kind));
  if (foreign !== undefined)
    throw unsupported(
      "The file has a track other than picture and sound. Cameras store their location in such tracks.",
      "Export it with picture and sound alone.",
    );
  if (kinds.length === 0) throw damaged("video");
  return { hasVideo: kinds.includes("vide"), lastOffset: lastOffsetOf(moov) };
}

/** The offset of its last chunk. The tables are found by walking the containers again, which were checked before. */
function lastOffsetOf(moov: Buffer): number {
  let last = 0;
  const walk = (from: number, to: number): void => {
    for (let at = from; at + 8 <= to; at += moov.readUInt32BE(at)) {
      const type = moov.toString("latin1", at + 4, at + 8);
      const end = at + moov.readUInt32BE(at);
      if (type === "stco" || type === "co64")
        last = Math.max(last, largest(moov, at + 8, end, type === "co64"));
      else if (CHILDREN[type]) walk(at + 8, end);
    }
  };
  walk(8 + (moov.readUInt32BE(0) === 1 ? 8 : 0), moov.length);
  return last;
}

function largest(moov: Buffer, start: number, end: number, wide: boolean): number {
  const width = wide ? 8 : 4;
  const count = end - start >= 8 ? moov.readUInt32BE(start + 4) : 0;
  if (start + 8 + count * width > end) throw damaged("video");
  let last = 0;
  for (let n = 0; n < count; n++) {
    const at = start + 8 + n * width;
    last = Math.max(last, wide ? Number(moov.readBigUInt64BE(at)) : moov.readUInt32BE(at));
  }
  return last;
}
