// MP4: boxes for playback stay, and all others become free space of the same length, so that no offset changes. Frames and sound are
// unchanged.
import { boxesOf, clearMp4Times, readMp4 } from "../../adapters/providers/mp4.ts";
import { type ByteReader, damaged, truncated, zeros } from "./byte-reader.ts";
import { readTracks, scrubBoxes } from "./mp4-boxes.ts";
import { type Cleaned, unsupported } from "./rules.ts";

/** Enough for the tables of a film of several hours. */
const MAX_TABLE_BYTES = 16 * 2 ** 20;
const MAX_BRAND_BYTES = 1024;
const PASSED: ReadonlySet<string> = new Set(["mdat", "sidx", "styp", "mfra"]);
const TABLES: ReadonlySet<string> = new Set(["moov", "moof"]);
const BRANDS = /^(iso[m2-9a-c]|mp4[12]|avc1|M4[ABV] |MSNV|dash|cmf[c2]|3g[p2]\w|f4v |hvc1|hev1|av01)$/;

type Found = { moov: Buffer | undefined; hasVideo: boolean; lastOffset: number };

export async function* cleanMp4(reader: ByteReader): Cleaned {
  const found: Found = { moov: undefined, hasVideo: false, lastOffset: 0 };
  while (!(await reader.atEnd())) yield* cleanBox(reader, found);
  const { moov, hasVideo, lastOffset } = found;
  if (!moov) throw damaged("video");
  if (lastOffset >= reader.position) throw truncated();
  const { width = null, height = null, durationSeconds } = readMp4(moov);
  const sizes = hasVideo ? { width, height } : { width: null, height: null };
  const kind = hasVideo ? "video" : "audio";
  return { kind, mimeType: `${kind}/mp4`, ...sizes, durationSeconds: durationSeconds || null };
}

async function* cleanBox(reader: ByteReader, found: Found): AsyncGenerator<Uint8Array> {
  const isFirst = reader.position === 0;
  const { type, header, bytes } = await readHeader(reader);
  if (isFirst !== (type === "ftyp")) throw damaged("video");
  if (type === "ftyp") {
    if (bytes > MAX_BRAND_BYTES) throw damaged("video");
    const brands = await reader.read(bytes);
    if (!BRANDS.test(brands.toString("latin1", 0, 4)))
      throw unsupported(
        "The file is of the family of MP4, but no MP4.",
        "Export it as MP4 or WebM, a picture as JPEG or PNG.",
      );
    yield header;
    yield brands;
  } else if (TABLES.has(type)) {
    if (bytes > MAX_TABLE_BYTES) throw damaged("video");
    const whole = Buffer.concat([header, await reader.read(bytes)]);
    cleanTable(whole, type, found);
    yield whole;
  } else if (PASSED.has(type)) {
    yield header;
    if (bytes === Number.POSITIVE_INFINITY) while (!(await reader.atEnd())) yield await reader.some();
    else yield* reader.pass(bytes);
  } else {
    if (bytes === Number.POSITIVE_INFINITY) throw damaged("video");
    header.write("free", 4, "latin1");
    yield header;
    await reader.skip(bytes);
    yield* zeros(bytes);
  }
}

function cleanTable(whole: Buffer, type: string, found: Found): void {
  scrubBoxes(whole, type);
  if (type !== "moov") return;
  if (found.moov) throw damaged("video");
  clearMp4Times(whole);
  const { hasVideo, lastOffset } = readTracks(whole, [...boxesOf(whole)]);
  Object.assign(found, { moov: whole, hasVideo, lastOffset });
}

type Header = {
  type: string;
  header: Buffer;
  /** What follows; infinite for a box that goes on to the end. */ bytes: number;
};

async function readHeader(reader: ByteReader): Promise<Header> {
  const short = Buffer.from(await reader.read(8));
  const type = short.toString("latin1", 4, 8);
  const declared = short.readUInt32BE(0);
  if (declared === 0) return { type, header: short, bytes: Number.POSITIVE_INFINITY };
  if (declared !== 1) {
    if (declared < 8) throw damaged("video");
    return { type, header: short, bytes: declared - 8 };
  }
  const long = await reader.read(8);
  const bytes = Number(long.readBigUInt64BE(0)) - 16;
  if (bytes < 0) throw damaged("video");
  return { type, header: Buffer.concat([short, long]), bytes };
}
