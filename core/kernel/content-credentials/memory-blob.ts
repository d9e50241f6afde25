// Files in memory for the C2PA library, which was built for browsers: a Blob whose parts can be read without waiting.

/** A Blob that keeps the bytes it was made from. */
export class MemoryBlob extends Blob {
  readonly data: Uint8Array;

  constructor(data: Uint8Array) {
    super([]);
    this.data = data;
    Object.defineProperty(this, "size", { value: data.length });
  }

  override slice(start?: number, end?: number): MemoryBlob {
    return new MemoryBlob(this.data.subarray(start, end));
  }
}

/** The part of a browser's FileReaderSync that the library uses. */
export class SyncReader {
  readAsArrayBuffer({ data }: MemoryBlob): ArrayBuffer {
    const copy = new Uint8Array(data.length);
    copy.set(data);
    return copy.buffer;
  }
}
