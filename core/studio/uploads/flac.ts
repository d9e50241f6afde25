// FLAC: the stream information and the seek table stay; comments, pictures and application data become padding of the same length.
import { type ByteReader, damaged, zeros } from "./byte-reader.ts";
import type { Cleaned } from "./rules.ts";

const STREAM_INFO = 0;
const PADDING = 1;
const SEEK_TABLE = 3;
const STREAM_INFO_BYTES = 34;
const LAST = 0x80;

/**
 * CRC-16 as at the end of frames. A frame including its own sum yields 0, and so does a sequence of complete frames, but not a file that
 * ends within a frame.
 */
const SUMS = Uint16Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 8;
  for (let bit = 0; bit < 8; bit++) sum = (sum << 1) ^ (sum & 0x8000 ? 0x8005 : 0);
  return sum;
});

export async function* cleanFlac(reader: ByteReader): Cleaned {
  yield await reader.read(4);
  let durationSeconds: number | null = null;
  for (let last = false, first = true; !last; first = false) {
    const header = Buffer.from(await reader.read(4));
    const type = header.readUInt8(0) & ~LAST;
    const bytes = header.readUIntBE(1, 3);
    last = (header.readUInt8(0) & LAST) !== 0;
    if (first !== (type === STREAM_INFO) || (first && bytes !== STREAM_INFO_BYTES)) throw damaged("audio");
    if (type !== STREAM_INFO && type !== SEEK_TABLE) header.writeUInt8((last ? LAST : 0) | PADDING, 0);
    yield header;
    if (type === STREAM_INFO) {
      const info = await reader.read(bytes);
      durationSeconds = durationOf(info);
      yield info;
    } else if (type === SEEK_TABLE) yield* reader.pass(bytes);
    else {
      await reader.skip(bytes);
      yield* zeros(bytes);
    }
  }
  const frame = await reader.peek(2);
  if (frame.length < 2 || (frame.readUInt16BE(0) & 0xfffe) !== 0xfff8) throw damaged("audio");
  let sum = 0;
  while (!(await reader.atEnd())) {
    const piece = await reader.some();
    for (const byte of piece) sum = ((sum << 8) & 0xffff) ^ (SUMS[(sum >> 8) ^ byte] ?? 0);
    yield piece;
  }
  if (sum !== 0) throw damaged("audio");
  return { kind: "audio", mimeType: "audio/flac", width: null, height: null, durationSeconds };
}

/** From sample rate and number of samples, which may be unknown. */
function durationOf(info: Buffer): number | null {
  const rate = info.readUIntBE(10, 3) >>> 4;
  if (rate === 0) throw damaged("audio");
  const samples = (info.readUInt8(13) & 0xf) * 2 ** 32 + info.readUInt32BE(14);
  return samples === 0 ? null : samples / rate;
}
