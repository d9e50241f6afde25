// WAV: chunks for playback stay; all others become padding, so that no length changes.
import { type ByteReader, damaged, zeros } from "./byte-reader.ts";
import { type Cleaned, unsupported } from "./rules.ts";

const KEPT: ReadonlySet<string> = new Set(["fmt ", "fact", "data"]);
/** PCM, float, A-law, µ-law, and the extensible forms. */
const ENCODINGS: ReadonlySet<number> = new Set([1, 3, 6, 7, 0xfffe]);
const FORMAT_BYTES = { least: 16, most: 64 };

export async function* cleanWav(reader: ByteReader): Cleaned {
  const head = await reader.read(12);
  yield head;
  const end = 8 + head.readUInt32LE(4);
  let bytesPerSecond = 0;
  let durationSeconds: number | null = null;
  while (reader.position + 8 <= end) {
    const chunk = Buffer.from(await reader.read(8));
    const name = chunk.toString("latin1", 0, 4);
    const size = chunk.readUInt32LE(4);
    const padded = size + (size % 2);
    if (reader.position + size > end) throw damaged("audio");
    if (!KEPT.has(name)) chunk.write("JUNK", 0, "latin1");
    yield chunk;
    const inside = Math.min(padded, end - reader.position);
    if (name === "fmt ") {
      const format = await readFormat(reader, inside);
      bytesPerSecond = format.readUInt32LE(8);
      yield format;
    } else if (KEPT.has(name)) {
      if (name === "data" && bytesPerSecond > 0) durationSeconds = size / bytesPerSecond;
      yield* reader.pass(inside);
    } else {
      await reader.skip(inside);
      yield* zeros(inside);
    }
  }
  if (durationSeconds === null) throw damaged("audio");
  return { kind: "audio", mimeType: "audio/wav", width: null, height: null, durationSeconds };
}

async function readFormat(reader: ByteReader, bytes: number): Promise<Buffer> {
  if (bytes < FORMAT_BYTES.least || bytes > FORMAT_BYTES.most) throw damaged("audio");
  const format = await reader.read(bytes);
  if (!ENCODINGS.has(format.readUInt16LE(0)))
    throw unsupported("The WAV file holds sound in an encoding that is not known here.", "Save it as PCM.");
  const [channels, rate, perSecond] = [
    format.readUInt16LE(2),
    format.readUInt32LE(4),
    format.readUInt32LE(8),
  ];
  if (channels === 0 || rate === 0 || perSecond === 0) throw damaged("audio");
  return format;
}
