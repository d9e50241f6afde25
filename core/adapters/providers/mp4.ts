// Just enough of ISO 14496-12 to read the length and the size of a clip, and to remove its timestamps.
export type Box = { type: string; /** Offset of what follows the header. */ start: number; end: number };

const CONTAINERS = new Set(["moov", "trak", "mdia"]);
/** In a version 1 header the times have eight bytes each, in version 0 four. */
const TIMED = new Set(["mvhd", "tkhd", "mdhd"]);

/** Yields every box, containers before their contents. Stops quietly if the sizes make no sense. */
export function* boxesOf(bytes: Uint8Array, from = 0, to = bytes.length): Generator<Box> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = from;
  while (at + 8 <= to) {
    const wide = view.getUint32(at) === 1 && at + 16 <= to;
    const declared = wide ? Number(view.getBigUint64(at + 8)) : view.getUint32(at);
    const size = declared === 0 ? to - at : declared;
    const header = wide ? 16 : 8;
    if (size < header || at + size > to) return;
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    yield { type, start: at + header, end: at + size };
    if (CONTAINERS.has(type)) yield* boxesOf(bytes, at + header, at + size);
    at += size;
  }
}

/** Facts from the movie header and the first video track. */
export function readMp4(bytes: Uint8Array): { durationSeconds?: number; width?: number; height?: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: { durationSeconds?: number; width?: number; height?: number } = {};
  for (const { type, start, end } of boxesOf(bytes)) {
    const wide = bytes[start] === 1;
    if (type === "mvhd" && end - start >= (wide ? 32 : 20)) {
      const timescale = view.getUint32(start + (wide ? 20 : 12));
      const duration = wide ? Number(view.getBigUint64(start + 24)) : view.getUint32(start + 16);
      if (timescale > 0) found.durationSeconds = duration / timescale;
    }
    if (type === "tkhd" && found.width === undefined && end - start >= (wide ? 96 : 84)) {
      // The last eight bytes, as 16.16 fixed point; zero for a track of sound.
      const [width, height] = [view.getUint32(end - 8) >>> 16, view.getUint32(end - 4) >>> 16];
      if (width > 0 && height > 0) Object.assign(found, { width, height });
    }
  }
  return found;
}

/** Sets creation and modification times to zero, so that the same frames make the same file at any time. Changes `bytes`. */
export function clearMp4Times(bytes: Uint8Array): void {
  for (const { type, start, end } of boxesOf(bytes)) {
    if (TIMED.has(type)) bytes.fill(0, start + 4, Math.min(end, start + (bytes[start] === 1 ? 20 : 12)));
  }
}
