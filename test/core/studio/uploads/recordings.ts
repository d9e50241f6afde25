// Sound and video for tests, built byte by byte, with metadata about author and place.
export const WHERE = "+51.5000-000.1200/";

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const text = (value: string) => Buffer.from(value, "latin1");

/** A second of silence, with a chunk about the place. */
export function wav(): Buffer {
  const rate = 8000;
  const chunk = (name: string, data: Buffer) => {
    const size = Buffer.alloc(4);
    size.writeUInt32LE(data.length);
    return Buffer.concat([text(name), size, data, Buffer.alloc(data.length % 2)]);
  };
  const format = Buffer.alloc(16);
  format.writeUInt16LE(1, 0);
  format.writeUInt16LE(1, 2);
  format.writeUInt32LE(rate, 4);
  format.writeUInt32LE(rate, 8);
  format.writeUInt16LE(1, 12);
  format.writeUInt16LE(8, 14);
  const body = Buffer.concat([
    text("WAVE"),
    chunk("fmt ", format),
    chunk("LIST", text(`INFOICMT${WHERE}!`)),
    chunk("data", Buffer.alloc(rate, 128)),
  ]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length);
  return Buffer.concat([text("RIFF"), size, body]);
}

/** An ID3v1 tag, at the end. */
const tag = () => Buffer.concat([text(`TAG${WHERE}`), Buffer.alloc(128)]).subarray(0, 128);

/** Forty frames of 128 kbit/s at 44.1 kHz between two tags. */
export function mp3(): Buffer {
  const frame = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(417 - 4)]);
  const comment = text(`COMM....${WHERE}`);
  const id3 = Buffer.concat([text("ID3"), Buffer.from([4, 0, 0, 0, 0, 0, comment.length]), comment]);
  return Buffer.concat([id3, ...Array<Buffer>(40).fill(frame), tag()]);
}

/** Twenty frames and a tag. */
export function aac(): Buffer {
  const bytes = 100;
  const header = Buffer.from([
    0xff,
    0xf1,
    0x50,
    0x40 | (bytes >> 11),
    (bytes >> 3) & 0xff,
    ((bytes & 7) << 5) | 0x1f,
    0xfc,
  ]);
  const frame = Buffer.concat([header, Buffer.alloc(bytes - header.length)]);
  return Buffer.concat([...Array<Buffer>(20).fill(frame), tag()]);
}

/** As in RFC 9639, bit by bit. */
function crc16(bytes: Buffer): number {
  let rest = 0;
  for (const byte of bytes)
    for (let bit = 7; bit >= 0; bit--) {
      const carry = (rest >> 15) ^ ((byte >> bit) & 1);
      rest = ((rest << 1) & 0xffff) ^ (carry ? 0x8005 : 0);
    }
  return rest;
}

export function flac(): Buffer {
  const info = Buffer.alloc(34);
  info.writeUIntBE(44_100 << 4, 10, 3);
  info.writeUInt32BE(88_200, 14);
  const block = (type: number, data: Buffer) => {
    const header = Buffer.alloc(4);
    header.writeUInt8(type, 0);
    header.writeUIntBE(data.length, 1, 3);
    return Buffer.concat([header, data]);
  };
  const frame = Buffer.concat([Buffer.from([0xff, 0xf8]), Buffer.alloc(200, 7)]);
  const sum = Buffer.alloc(2);
  sum.writeUInt16BE(crc16(frame));
  const frames = Buffer.concat([frame, sum, frame, sum]);
  return Buffer.concat([
    text("fLaC"),
    block(0, info),
    block(4, text(`LOCATION=${WHERE}`)),
    block(0x81, Buffer.alloc(9)),
    frames,
  ]);
}

export const box = (type: string, ...content: readonly Buffer[]): Buffer => {
  const inside = Buffer.concat(content);
  return Buffer.concat([u32(inside.length + 8), text(type), inside]);
};

const full = (type: string, ...content: readonly Buffer[]) => box(type, u32(0), ...content);

export type Mp4 = { handlers?: readonly string[]; reference?: Buffer; brand?: string; chunkAt?: number };

/** Two empty seconds, 64 by 36, with places in three boxes and the name of a program. */
export function mp4({ handlers = ["vide"], reference, brand = "isom", chunkAt = 40 }: Mp4 = {}): Buffer {
  const header = Buffer.alloc(96);
  header.writeUInt32BE(3_900_000_000, 0);
  header.writeUInt32BE(1000, 8);
  header.writeUInt32BE(2000, 12);
  const tracks = handlers.map((handler) => {
    const size = Buffer.alloc(80);
    const [width, height] = handler === "vide" ? [64, 36] : [0, 0];
    size.writeUInt32BE(width << 16, 72);
    size.writeUInt32BE(height << 16, 76);
    const inside = reference ?? box("url ", u32(1));
    return box(
      "trak",
      full("tkhd", size),
      box(
        "mdia",
        full("mdhd", Buffer.alloc(20)),
        full("hdlr", u32(0), text(handler), Buffer.alloc(12), text(`A camera ${WHERE}\0`)),
        box(
          "minf",
          box("dinf", full("dref", u32(1), inside)),
          box("stbl", full("stsd", u32(0)), full("stco", u32(1), u32(chunkAt)), box("note", text(WHERE))),
        ),
      ),
    );
  });
  return Buffer.concat([
    box("ftyp", text(brand), u32(0), text("mp42")),
    box("mdat", Buffer.alloc(200, 1)),
    box(
      "moov",
      full("mvhd", header),
      ...tracks,
      box("udta", box("\xa9xyz", text(WHERE))),
      full("meta", text(WHERE)),
    ),
    box("uuid", text(`a place of one's own: ${WHERE}`)),
  ]);
}

const element = (id: string, ...content: readonly Buffer[]): Buffer => {
  const inside = Buffer.concat(content);
  const size = Buffer.alloc(4);
  size.writeUInt32BE((0x10000000 | inside.length) >>> 0);
  return Buffer.concat([Buffer.from(id, "hex"), size, inside]);
};
const uint = (id: string, value: number) => element(id, u32(value));

/** As a browser records it: of unknown length, with a title, tags and an attachment. */
export function webm({ type = "webm", trackType = 1 } = {}): Buffer {
  const float = Buffer.alloc(8);
  float.writeDoubleBE(2000);
  return Buffer.concat([
    element("1a45dfa3", element("4282", text(type))),
    Buffer.from("1853806701ffffffffffffff", "hex"),
    element(
      "1549a966",
      uint("2ad7b1", 1_000_000),
      element("4489", float),
      element("7ba9", text(WHERE)),
      element("4d80", text(WHERE)),
    ),
    element(
      "1654ae6b",
      element(
        "ae",
        uint("d7", 1),
        uint("83", trackType),
        element("536e", text(WHERE)),
        element("86", text("V_VP8")),
        element("e0", uint("b0", 64), uint("ba", 36)),
      ),
    ),
    Buffer.from("1f43b67501ffffffffffffff", "hex"),
    uint("e7", 0),
    element("a3", Buffer.alloc(300, 1)),
    element("1254c367", text(WHERE)),
    element("1941a469", text(`<script>${WHERE}`)),
  ]);
}
