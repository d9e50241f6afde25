// Pictures for tests, drawn here: plain ones, ones with private metadata, and ones of another type than they say.
import sharp from "sharp";

/** Noise, so that compression has little effect. */
export function picture(
  format: "png" | "jpeg" | "webp" | "avif" | "gif" = "png",
  side = 32,
): Promise<Buffer> {
  return sharp({
    create: {
      width: side,
      height: side / 2,
      channels: 3,
      background: "teal",
      noise: { type: "gaussian", mean: 128, sigma: 40 },
    },
  })
    .toFormat(format)
    .toBuffer();
}

/** Rotated by a quarter, with an author and a place. */
export function tellingPhoto(format: "jpeg" | "png" | "webp" = "jpeg"): Promise<Buffer> {
  return sharp({ create: { width: 40, height: 20, channels: 3, background: "red" } })
    .withMetadata({ orientation: 6 })
    .withExifMerge({
      IFD0: { Artist: "Ada Lovelace" },
      IFD3: {
        GPSLatitudeRef: "N",
        GPSLatitude: "51/1 30/1 0/1",
        GPSLongitudeRef: "W",
        GPSLongitude: "0/1 7/1 0/1",
      },
    })
    .withXmp("<x:xmpmeta xmlns:x='adobe:ns:meta/'><place>51.5 N 0.1 W</place></x:xmpmeta>")
    .toFormat(format)
    .toBuffer();
}

export async function* inPieces(bytes: Uint8Array, pieceBytes = 4_096): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function crc32(bytes: Buffer): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** A header with a large size, and nothing after it. */
export function pngBomb(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", Buffer.alloc(64)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** An animated PNG: its header has the number of frames. */
export async function movingPng(): Promise<Buffer> {
  const png = await picture("png");
  const afterHeader = 8 + 25;
  return Buffer.concat([
    png.subarray(0, afterHeader),
    chunk("acTL", Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])),
    png.subarray(afterHeader),
  ]);
}

/** Three frames. */
export function movingPicture(format: "gif" | "webp"): Promise<Buffer> {
  const side = 16;
  const frameBytes = side * side * 3;
  const frames = Buffer.alloc(3 * frameBytes, 90).fill(200, 0, frameBytes);
  return sharp(frames, { raw: { width: side, height: 3 * side, channels: 3, pageHeight: side } })
    .toFormat(format)
    .toBuffer();
}
