// The signature of a manifest in the form that C2PA requires: a COSE_Sign1 structure (RFC 9052) with its certificate chain, padded to a
// size that is known in advance.
import { type KeyObject, sign } from "node:crypto";

/** `chain` has certificates in DER: the signer's own first, then its issuers. */
export type Signer = { readonly chain: readonly Uint8Array[]; readonly key: KeyObject };

const UNSIGNED = 0;
const BYTES = 2;
const TEXT = 3;
const ARRAY = 4;
const MAP = 5;
const TAG = 6;
const NULL = Buffer.from([0xf6]);

/** Labels and values from the IANA registry "CBOR Object Signing and Encryption". */
const COSE_SIGN1 = 18;
const HEADER_ALG = 1;
const HEADER_X5CHAIN = 33;
/** ECDSA with SHA-256 is -7. CBOR writes a negative number n as -1 - n with this major type. */
const ES256 = 6;
const NEGATIVE = 1;

/** The bytes of a signature in addition to its certificates, with space for the padding itself. */
const OVERHEAD = 256;

/** The size to which every signature with this chain is padded. */
export function reservedSize({ chain }: Signer): number {
  return OVERHEAD + chain.reduce((sum, { length }) => sum + length + 5, 0);
}

/** Signs the bytes of a claim with ES256. The result has exactly `reservedSize` bytes. */
export function coseSign1(signer: Signer, claim: Uint8Array): Buffer {
  const headers = protectedHeaders(signer.chain);
  const signed = array(text("Signature1"), bytes(headers), bytes(Buffer.alloc(0)), bytes(claim));
  const signature = sign("sha256", signed, { key: signer.key, dsaEncoding: "ieee-p1363" });
  const padded = (size: number) => {
    const pad = Buffer.concat([head(MAP, 1), text("pad"), bytes(Buffer.alloc(size))]);
    return Buffer.concat([head(TAG, COSE_SIGN1), array(bytes(headers), pad, NULL, bytes(signature))]);
  };
  const left = reservedSize(signer) - padded(0).length;
  // The length of a byte string takes one byte up to 23, two up to 255, and three after that.
  for (const lengthBytes of [0, 1, 2]) {
    const result = padded(left - lengthBytes);
    if (result.length === reservedSize(signer)) return result;
  }
  throw new Error(`a signature cannot be padded to ${reservedSize(signer)} bytes`);
}

function protectedHeaders(chain: readonly Uint8Array[]): Buffer {
  return Buffer.concat([
    head(MAP, 2),
    head(UNSIGNED, HEADER_ALG),
    head(NEGATIVE, ES256),
    head(UNSIGNED, HEADER_X5CHAIN),
    array(...chain.map(bytes)),
  ]);
}

function array(...items: readonly Buffer[]): Buffer {
  return Buffer.concat([head(ARRAY, items.length), ...items]);
}

function bytes(value: Uint8Array): Buffer {
  return Buffer.concat([head(BYTES, value.length), value]);
}

function text(value: string): Buffer {
  return Buffer.concat([head(TEXT, Buffer.byteLength(value)), Buffer.from(value)]);
}

/** The first bytes of every CBOR item: its major type and a number. */
function head(major: number, value: number): Buffer {
  const type = major << 5;
  if (value < 24) return Buffer.from([type | value]);
  if (value < 0x100) return Buffer.from([type | 24, value]);
  const long = value >= 0x1_0000;
  const buffer = Buffer.alloc(long ? 5 : 3, type | (long ? 26 : 25));
  if (long) buffer.writeUInt32BE(value, 1);
  else buffer.writeUInt16BE(value, 1);
  return buffer;
}
