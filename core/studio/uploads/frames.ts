// MP3 and AAC: a sequence of frames that contain their length. Only frames are kept; tags at both ends are removed.
import { type ByteReader, damaged } from "./byte-reader.ts";
import type { Cleaned } from "./rules.ts";

const MPEG_RATES = [44_100, 48_000, 32_000];
const AAC_SAMPLES = 1024;

type Frame = {
  readonly bytes: number;
  readonly seconds: number;
  /** The same in all frames of a file. */ readonly stream: string;
};

const HEADER_BYTES = 7;
/** How far other data are searched for the next frame. */
const MAX_GAP_BYTES = 8 * 1024;
const MIN_FRAMES = 2;

export const cleanMp3 = (reader: ByteReader): Cleaned => cleanFrames(reader, "audio/mpeg", readMpegHeader);
export const cleanAac = (reader: ByteReader): Cleaned => cleanFrames(reader, "audio/aac", readAdtsHeader);

async function* cleanFrames(
  reader: ByteReader,
  mimeType: string,
  readHeader: (header: Buffer) => Frame | undefined,
): Cleaned {
  let stream: string | undefined;
  let frames = 0;
  let seconds = 0;
  let gap = 0;
  while (!(await reader.atEnd())) {
    const header = await reader.peek(HEADER_BYTES);
    const frame = readHeader(header);
    if (frame && (stream ?? frame.stream) === frame.stream) {
      stream = frame.stream;
      yield await reader.read(frame.bytes);
      frames += 1;
      seconds += frame.seconds;
      gap = 0;
      continue;
    }
    const tag = await tagBytes(reader);
    if (tag === 0 && ++gap > MAX_GAP_BYTES) throw damaged("audio");
    await reader.skip(tag || 1);
  }
  if (frames < MIN_FRAMES) throw damaged("audio");
  return { kind: "audio", mimeType, width: null, height: null, durationSeconds: seconds };
}

/** The length of a tag at this position; 0 if there is none. */
async function tagBytes(reader: ByteReader): Promise<number> {
  const head = await reader.peek(32);
  const name = head.toString("latin1", 0, 8);
  if (name.startsWith("ID3") && head.length >= 10) {
    const [a = 0, b = 0, c = 0, d = 0] = head.subarray(6, 10);
    const footer = (head[5] ?? 0) & 0x10 ? 10 : 0;
    return 10 + (((a & 127) << 21) | ((b & 127) << 14) | ((c & 127) << 7) | (d & 127)) + footer;
  }
  // The stored length excludes the header and the optional footer.
  if (name === "APETAGEX" && head.length === 32) return 32 + head.readUInt32LE(12);
  return name.startsWith("TAG") && (await reader.peek(129)).length === 128 ? 128 : 0;
}

const BITRATES_KBPS: Readonly<Record<string, readonly number[]>> = {
  "1-1": [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  "1-2": [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  "1-3": [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  "2-1": [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  "2-2": [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  "2-3": [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

function readMpegHeader(header: Buffer): Frame | undefined {
  if (header.length < 4 || (header.readUInt16BE(0) & 0xffe0) !== 0xffe0) return undefined;
  const [, second = 0, third = 0] = header;
  const version = { 0: 2.5, 2: 2, 3: 1 }[(second >> 3) & 3];
  const layer = { 1: 3, 2: 2, 3: 1 }[(second >> 1) & 3];
  const base = MPEG_RATES[(third >> 2) & 3];
  if (version === undefined || layer === undefined || base === undefined) return undefined;
  const kbps = BITRATES_KBPS[`${version === 1 ? 1 : 2}-${layer}`]?.[third >> 4];
  if (!kbps) return undefined;
  const rate = base / (version === 1 ? 1 : version === 2 ? 2 : 4);
  const padding = (third >> 1) & 1;
  const samples = layer === 1 ? 384 : layer === 3 && version !== 1 ? 576 : 1152;
  const bytes =
    layer === 1
      ? (Math.floor((12_000 * kbps) / rate) + padding) * 4
      : Math.floor(((samples / 8) * 1000 * kbps) / rate) + padding;
  return { bytes, seconds: samples / rate, stream: `${version} ${layer} ${rate}` };
}

const AAC_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
];

function readAdtsHeader(header: Buffer): Frame | undefined {
  if (header.length < HEADER_BYTES || (header.readUInt16BE(0) & 0xfff6) !== 0xfff0) return undefined;
  const rate = AAC_RATES[(header.readUInt8(2) >> 2) & 0xf];
  const bytes = (header.readUIntBE(3, 3) >> 5) & 0x1fff;
  if (rate === undefined || bytes < HEADER_BYTES) return undefined;
  const blocks = (header.readUInt8(6) & 3) + 1;
  return { bytes, seconds: (blocks * AAC_SAMPLES) / rate, stream: String(rate) };
}
