// The site's icon: as SVG, and at /favicon.ico as an icon of 32 x 32 pixels, drawn from the same lines.

const INK = [0x1b, 0x3f, 0xa8] as const;
const SIZE = 32;
const RADIUS = 8;
const HALF_STROKE = 1.3;
/** The letter A. */
const LINES = [
  [9, 24, 16, 8],
  [16, 8, 23, 24],
  [11.6, 18.5, 20.4, 18.5],
] as const;
/** Samples of each pixel in both directions, for soft edges. */
const SAMPLES = 4;

export const ICON_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#a83f1b"/><path d="M9 24 16 8l7 16M11.6 18.5h8.8" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/** One bitmap of 32 bits a pixel, from the lowest row up, as every browser reads it. */
export function iconFile(): Buffer {
  const maskBytes = (SIZE * SIZE) / 8;
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(SIZE, 6);
  header.writeUInt8(SIZE, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(40 + SIZE * SIZE * 4 + maskBytes, 14);
  header.writeUInt32LE(header.length, 18);
  const bitmap = Buffer.alloc(40);
  bitmap.writeUInt32LE(bitmap.length, 0);
  bitmap.writeInt32LE(SIZE, 4);
  // Pixels and mask, one above the other.
  bitmap.writeInt32LE(SIZE * 2, 8);
  bitmap.writeUInt16LE(1, 12);
  bitmap.writeUInt16LE(32, 14);
  return Buffer.concat([header, bitmap, pixels(), Buffer.alloc(maskBytes)]);
}

function pixels(): Buffer {
  const bytes = Buffer.alloc(SIZE * SIZE * 4);
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++) {
      let ground = 0;
      let letter = 0;
      for (let i = 0; i < SAMPLES * SAMPLES; i++) {
        const px = x + ((i % SAMPLES) + 0.5) / SAMPLES;
        const py = y + (Math.floor(i / SAMPLES) + 0.5) / SAMPLES;
        if (isInGround(px, py)) ground++;
        if (LINES.some((line) => isNear(px, py, line))) letter++;
      }
      const white = ground === 0 ? 0 : letter / ground;
      const at = ((SIZE - 1 - y) * SIZE + x) * 4;
      INK.forEach((value, i) =>
        bytes.writeUInt8(Math.round(value + (255 - value) * Math.min(1, white)), at + i),
      );
      bytes.writeUInt8(Math.round((255 * ground) / SAMPLES ** 2), at + 3);
    }
  }
  return bytes;
}

function isInGround(x: number, y: number): boolean {
  const dx = Math.max(RADIUS - x, x - (SIZE - RADIUS), 0);
  const dy = Math.max(RADIUS - y, y - (SIZE - RADIUS), 0);
  return dx * dx + dy * dy <= RADIUS * RADIUS;
}

function isNear(x: number, y: number, [x1, y1, x2, y2]: (typeof LINES)[number]): boolean {
  const length = (x2 - x1) ** 2 + (y2 - y1) ** 2;
  const along = Math.min(1, Math.max(0, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length));
  return Math.hypot(x - x1 - along * (x2 - x1), y - y1 - along * (y2 - y1)) <= HALF_STROKE;
}
