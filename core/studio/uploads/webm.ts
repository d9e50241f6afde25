// WebM: elements for playback stay; titles, tags, chapters, attachments and unknown elements become void elements of the same length.
import { type ByteReader, damaged, truncated, zeros } from "./byte-reader.ts";
import { type Cleaned, unsupported } from "./rules.ts";

const EBML = 0x1a45dfa3;
const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const INFO = 0x1549a966;
const TRACKS = 0x1654ae6b;
const TIMESTAMP = 0xe7;
const DOC_TYPE = 0x4282;
/** The index, cues and contents of clusters: blocks, groups, positions and sizes. Clusters are examined like the segment itself. */
const PASSED: ReadonlySet<number> = new Set([0x114d9b74, 0x1c53bb6b, 0xa3, 0xa0, 0xab, 0xa7]);

const INFO_KEPT: ReadonlySet<number> = new Set([0x2ad7b1, 0x4489]);
/** The writing application: the element is required and may be empty. */
const INFO_EMPTIED: ReadonlySet<number> = new Set([0x4d80, 0x5741]);
const TRACK = 0xae;
const TRACK_DROPPED: ReadonlySet<number> = new Set([0x536e, 0xbf]);
const CODECS = /^(V_VP8|V_VP9|V_AV1|A_OPUS|A_VORBIS)\0*$/;

const MAX_HEAD_BYTES = 1024;
const MAX_TABLE_BYTES = 2 ** 20;

type Film = {
  scaleNs: number;
  duration: number;
  lastTimestamp: number;
  hasVideo: boolean;
  width: number | null;
  height: number | null;
  tracks: number;
};

export async function* cleanWebm(reader: ByteReader): Cleaned {
  const film: Film = {
    scaleNs: 1_000_000,
    duration: 0,
    lastTimestamp: 0,
    hasVideo: false,
    width: null,
    height: null,
    tracks: 0,
  };
  yield* passHead(reader);
  const segment = await readElement(reader);
  if (segment.id !== SEGMENT) throw damaged("video");
  yield segment.header;
  const end = reader.position + segment.bytes;
  while (reader.position < end) {
    if (await reader.atEnd()) {
      if (segment.bytes === Number.POSITIVE_INFINITY) break;
      throw truncated();
    }
    yield* cleanElement(reader, film);
  }
  if (film.tracks === 0) throw damaged("video");
  const ticks = film.duration || film.lastTimestamp;
  const durationSeconds = ticks > 0 ? (ticks * film.scaleNs) / 1e9 : null;
  const kind = film.hasVideo ? "video" : "audio";
  return { kind, mimeType: `${kind}/webm`, width: film.width, height: film.height, durationSeconds };
}

/** Checks that the file is a WebM; other files are refused. */
async function* passHead(reader: ByteReader): AsyncGenerator<Uint8Array> {
  const head = await readElement(reader);
  if (head.id !== EBML || head.bytes > MAX_HEAD_BYTES) throw damaged("video");
  const content = await reader.read(head.bytes);
  let type = "";
  scrubElements(content, ({ id, content: value }) => {
    if (id === DOC_TYPE) type = value.toString("latin1").replace(/\0+$/, "");
    return "keep";
  });
  if (type !== "webm")
    throw unsupported("The file is a Matroska file, but no WebM.", "Save it as WebM or MP4.");
  yield head.header;
  yield content;
}

async function* cleanElement(reader: ByteReader, film: Film): AsyncGenerator<Uint8Array> {
  const { id, header, bytes } = await readElement(reader);
  if (id === CLUSTER) return yield header;
  if (bytes === Number.POSITIVE_INFINITY) throw damaged("video");
  if (PASSED.has(id)) {
    yield header;
    yield* reader.pass(bytes);
  } else if (id === INFO || id === TRACKS || id === TIMESTAMP) {
    if (bytes > MAX_TABLE_BYTES) throw damaged("video");
    const content = Buffer.from(await reader.read(bytes));
    if (id === INFO) scrubInfo(content, film);
    else if (id === TRACKS) scrubTracks(content, film);
    else film.lastTimestamp = Math.max(film.lastTimestamp, readUint(content));
    yield header;
    yield content;
  } else {
    const empty = voidHeader(header.length + bytes);
    yield empty;
    await reader.skip(bytes);
    yield* zeros(header.length + bytes - empty.length);
  }
}

function scrubInfo(content: Buffer, film: Film): void {
  scrubElements(content, ({ id, content: value }) => {
    if (id === 0x2ad7b1) film.scaleNs = readUint(value);
    if (id === 0x4489) film.duration = readFloat(value);
    if (INFO_EMPTIED.has(id)) return "empty";
    return INFO_KEPT.has(id) ? "keep" : "void";
  });
}

function scrubTracks(content: Buffer, film: Film): void {
  scrubElements(content, ({ id, content: track }) => {
    if (id !== TRACK) return "void";
    film.tracks += 1;
    scrubElements(track, (field) => scrubField(field, film));
    return "keep";
  });
}

function scrubField({ id, content }: Element, film: Film): "keep" | "void" {
  if (id === 0x83) {
    const type = readUint(content);
    if (type !== 1 && type !== 2)
      throw unsupported(
        "The file has a track other than picture and sound.",
        "Export it with picture and sound alone.",
      );
    film.hasVideo ||= type === 1;
  }
  if (id === 0x86 && !CODECS.test(content.toString("latin1")))
    throw unsupported(
      "The file holds picture or sound in an encoding that WebM does not have.",
      "Save it as WebM or MP4.",
    );
  if (id === 0xe0)
    scrubElements(content, ({ id: inner, content: value }) => {
      if (inner === 0xb0) film.width = readUint(value);
      if (inner === 0xba) film.height = readUint(value);
      return "keep";
    });
  return TRACK_DROPPED.has(id) ? "void" : "keep";
}

type Head = {
  id: number;
  header: Buffer;
  /** What follows; infinite where it says that it does not know. */ bytes: number;
};

async function readElement(reader: ByteReader): Promise<Head> {
  const idBytes = Math.clz32((await reader.peek(1))[0] ?? 0) - 23;
  if (idBytes > 4) throw damaged("video");
  const start = await reader.read(idBytes);
  const sizeBytes = Math.clz32((await reader.peek(1))[0] ?? 0) - 23;
  if (sizeBytes > 8) throw damaged("video");
  const size = await reader.read(sizeBytes);
  const { value, isUnknown } = readSize(size);
  const header = Buffer.concat([start, size]);
  return { id: start.readUIntBE(0, idBytes), header, bytes: isUnknown ? Number.POSITIVE_INFINITY : value };
}

function readSize(size: Buffer): { value: number; isUnknown: boolean } {
  const first = (size[0] ?? 0) & (0xff >> size.length);
  const rest = size.subarray(1);
  const value = rest.reduce((sum, byte) => sum * 256 + byte, first);
  return { value, isUnknown: first === 0xff >> size.length && rest.every((byte) => byte === 0xff) };
}

/** An EBML element (RFC 8794) in memory. */
type Element = {
  readonly id: number;
  /** In place: what is written there is written to the file. */ readonly content: Buffer;
};

/** Decides for each element whether it stays, stays without content, or becomes void. Changes `content`. */
function scrubElements(content: Buffer, decide: (element: Element) => "keep" | "empty" | "void"): void {
  let at = 0;
  while (at < content.length) {
    const { id, start, end } = elementAt(content, at);
    const inside = content.subarray(start, end);
    const verdict = decide({ id, content: inside });
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
function voidHeader(bytes: number): Buffer {
  if (bytes < 9) return Buffer.from([0xec, 0x80 | (bytes - 2)]);
  const header = Buffer.alloc(9);
  header.writeBigUInt64BE((1n << 56n) | BigInt(bytes - 9), 1);
  header[0] = 0xec;
  return header;
}

function readUint(content: Buffer): number {
  return content.reduce((sum, byte) => sum * 256 + byte, 0);
}

function readFloat(content: Buffer): number {
  const value =
    content.length === 4 ? content.readFloatBE(0) : content.length === 8 ? content.readDoubleBE(0) : 0;
  return Number.isFinite(value) ? value : 0;
}
