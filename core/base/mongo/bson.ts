// Documents as consecutive BSON: no type is lost, and `bsondump` reads them.
import { BSON } from "mongodb";

export type Stored = Record<string, unknown>;

/** Every document begins with its length in this many bytes. */
const LENGTH_BYTES = 4;

export function encodeDocuments(documents: readonly Stored[]): Buffer {
  return Buffer.concat(documents.map((document) => BSON.serialize(document)));
}

/** Throws if the bytes are not complete documents. */
export function decodeDocuments(bytes: Buffer): Stored[] {
  const documents: Stored[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = at + LENGTH_BYTES <= bytes.length ? bytes.readInt32LE(at) : 0;
    if (length <= LENGTH_BYTES || at + length > bytes.length)
      throw new Error("is not made of whole documents");
    documents.push(BSON.deserialize(bytes.subarray(at, at + length)));
    at += length;
  }
  return documents;
}

/** One document with its number types, so that writing it again gives the same bytes. */
export function decodeExactly(bytes: Uint8Array): Stored {
  return BSON.deserialize(bytes, { promoteValues: false, promoteLongs: false, bsonRegExp: true });
}
