// Typed arrays as one file: a header that names them, then their bytes as in memory. Any machine of the same byte order reads it with the
// same code; the caller checks that, and the file's hash.

const KINDS = { Uint8Array, Uint16Array, Uint32Array, Int32Array, Float64Array } as const;
type Kind = keyof typeof KINDS;
type Column = InstanceType<(typeof KINDS)[Kind]>;
type ArrayPlace = { readonly path: readonly string[]; readonly kind: Kind; readonly length: number };

/** Typed arrays, at any depth, about this many products. */
export type Arrays = { readonly count: number };

/** `about` is the keeper's own information about the file, as JSON. */
type Header = { readonly count: number; readonly arrays: readonly ArrayPlace[]; readonly about: unknown };

/** The header's length, in a number of eight bytes. */
const PREFIX_BYTES = 8;
const MAX_HEADER_BYTES = 2 ** 28;
const PIECE_BYTES = 2 ** 20;

/** The bytes from first to last, in pieces of at most 1 MiB that share the memory of the arrays. */
export function* writeArrays(arrays: Arrays, about: unknown): Generator<Uint8Array> {
  const { count, ...columns } = arrays;
  const found = [...arraysIn(columns, [])];
  const header: Header = {
    count,
    arrays: found.map(({ path, array }) => ({ path, kind: kindOf(array), length: array.length })),
    about,
  };
  const text = Buffer.from(JSON.stringify(header));
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32LE(text.length);
  yield prefix;
  yield text;
  for (const { array } of found) {
    const bytes = bytesOf(array);
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
  }
}

/** Throws if there are fewer or more bytes than the header says, or no header. */
export async function readArrays(
  pieces: AsyncIterable<Uint8Array>,
): Promise<{ readonly arrays: Arrays; readonly about: unknown }> {
  const { fill, end } = createFiller(pieces);
  const prefix = Buffer.alloc(PREFIX_BYTES);
  await fill(prefix);
  const length = prefix.readUInt32LE();
  if (length > MAX_HEADER_BYTES) throw new Error("begins with no header");
  const text = Buffer.alloc(length);
  await fill(text);
  const { count, arrays: places, about } = JSON.parse(text.toString()) as Header;
  const read: Record<string, unknown> = { count };
  for (const place of places) {
    const array = new KINDS[place.kind](place.length);
    await fill(bytesOf(array));
    put(read, place.path, array);
  }
  await end();
  return { arrays: read as Arrays, about };
}

function* arraysIn(
  value: object,
  path: readonly string[],
): Generator<{ path: readonly string[]; array: Column }> {
  for (const [name, inner] of Object.entries(value) as [string, object][]) {
    if (ArrayBuffer.isView(inner)) yield { path: [...path, name], array: inner as Column };
    else yield* arraysIn(inner, [...path, name]);
  }
}

function kindOf(array: Column): Kind {
  return array.constructor.name as Kind;
}

function bytesOf({ buffer, byteOffset, byteLength }: Column): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function put(target: Record<string, unknown>, path: readonly string[], array: Column): void {
  const [name = "", ...rest] = path;
  if (rest.length === 0) target[name] = array;
  else put((target[name] ??= {}) as Record<string, unknown>, rest, array);
}

function createFiller(pieces: AsyncIterable<Uint8Array>) {
  const source = pieces[Symbol.asyncIterator]();
  let piece: Uint8Array = new Uint8Array(0);
  return {
    fill: async (target: Uint8Array): Promise<void> => {
      for (let at = 0; at < target.length;) {
        if (piece.length === 0) {
          const next = await source.next();
          if (next.done) throw new Error("ends too early");
          piece = next.value;
        }
        const taken = piece.subarray(0, target.length - at);
        target.set(taken, at);
        at += taken.length;
        piece = piece.subarray(taken.length);
      }
    },
    end: async (): Promise<void> => {
      for (let next = await source.next(); !next.done; next = await source.next())
        if (next.value.length > 0) throw new Error("goes on after its end");
      if (piece.length > 0) throw new Error("goes on after its end");
    },
  };
}
