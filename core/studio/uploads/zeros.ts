// Writes zeros in place of removed data.
const PIECE = Buffer.alloc(64 * 1024);

export function* zeros(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= PIECE.length)
    yield PIECE.subarray(0, Math.min(left, PIECE.length));
}
