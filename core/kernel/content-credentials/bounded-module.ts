// Limits the memory of a WebAssembly module. A module without a limit may grow to 4 GiB if a file makes it.

const HEADER_BYTES = 8;
const MEMORY_SECTION = 5;
const PAGE_BYTES = 64 * 1024;
const HAS_MAXIMUM = 1;

/** Returns the same module with a maximum for its one memory. Throws if the bytes are not such a module. */
export function withMaxMemory(module: Uint8Array, maxBytes: number): Uint8Array<ArrayBuffer> {
  let at = HEADER_BYTES;
  while (at < module.length) {
    const start = at;
    const id = module[at];
    const size = readNumber(module, at + 1);
    const end = size.next + size.value;
    if (id === MEMORY_SECTION) {
      const count = readNumber(module, size.next);
      const minimum = readNumber(module, count.next + 1);
      if (count.value !== 1) throw new Error("the WebAssembly module has more than one memory");
      const body = [1, HAS_MAXIMUM, ...number(minimum.value), ...number(maxBytes / PAGE_BYTES)];
      const section = [MEMORY_SECTION, ...number(body.length), ...body];
      return new Uint8Array(
        Buffer.concat([module.subarray(0, start), Buffer.from(section), module.subarray(end)]),
      );
    }
    at = end;
  }
  throw new Error("the WebAssembly module declares no memory");
}

/** Encodes an unsigned number in LEB128. */
function readNumber(from: Uint8Array, start: number): { value: number; next: number } {
  let value = 0;
  for (let at = start, shift = 0; ; at++, shift += 7) {
    const byte = from[at] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, next: at + 1 };
  }
}

function number(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...number(Math.floor(value / 0x80))];
}
