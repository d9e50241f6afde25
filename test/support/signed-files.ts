// Files with Content Credentials for tests: one of each kind, signed by the test's own authority, and ways to tamper with them.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { crc32 } from "node:zlib";
import {
  authoritiesIn,
  readSigners,
  serialNumbersIn,
  toPem,
} from "../../core/kernel/content-credentials/certificates.ts";
import type { Signer } from "../../core/kernel/content-credentials/cose.ts";
import { makeAuthority } from "../../core/kernel/content-credentials/development-authority.ts";
import type { CredentialsEngine } from "../../core/kernel/content-credentials/engine.ts";
import type { Ingredient } from "../../core/kernel/content-credentials/thread.ts";
import type { OwnIssuer } from "../../core/kernel/content-credentials/verdict-rules.ts";
import { picture } from "../core/studio/uploads/pictures.ts";
import { flac, mp3 } from "../core/studio/uploads/recordings.ts";

const SAMPLES = fileURLToPath(new URL("../../gateway/site/samples/files/", import.meta.url));

/** An unsigned file of each kind, by media type. Another `variant` is another file of the same kind. */
export async function wholeFiles(variant = 0): Promise<ReadonlyMap<string, Buffer>> {
  const side = 32 + 2 * variant;
  const [png, jpeg, webp, gif, avif] = await Promise.all(
    (["png", "jpeg", "webp", "gif", "avif"] as const).map((format) => picture(format, side)),
  );
  const wav = readFileSync(`${SAMPLES}good-evening.wav`);
  wav.writeInt16LE(variant, wav.length - 2);
  const film = readFileSync(`${SAMPLES}${variant === 0 ? "aurora" : "gradient"}-loop.mp4`);
  return new Map(
    Object.entries({
      "image/png": png,
      "image/jpeg": jpeg,
      "image/webp": webp,
      "image/gif": gif,
      "image/avif": avif,
      "audio/wav": wav,
      "audio/mpeg": Buffer.concat([mp3(), Buffer.alloc(variant)]),
      "audio/flac": Buffer.concat([flac(), Buffer.alloc(variant)]),
      "video/mp4": film,
    }).flatMap(([type, bytes]) => (bytes ? [[type, bytes] as const] : [])),
  );
}

/** A signing authority, and what a reader must know of it. */
export type TestIssuer = {
  readonly pem: string;
  readonly signer: Signer;
  /** PEM. */
  readonly anchors: string;
  readonly known: OwnIssuer;
};

export async function makeTestIssuer(at = new Date()): Promise<TestIssuer> {
  const pem = await makeAuthority(at);
  const [signer] = readSigners(pem, pem);
  if (!signer) throw new Error("an authority has a signer");
  const known = { serialNumbers: serialNumbersIn(pem), isSelfMade: true };
  return { pem, signer, anchors: toPem(authoritiesIn(pem)), known };
}

export const TRAINED = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia";
export const ORIGIN = {
  job_id: "job_01JZ8Q4M3V6X9T2B7N5D8KAYEF",
  model_slug: "picture",
  output_index: 0,
  ledger_entry_id: "led_01JZ8Q4M3V6X9T2B7N5D8KAYEF_debit",
  ledger_entry_hash: "ab".repeat(32),
};

export type ToSign = {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
  readonly origin?: object | undefined;
  readonly ingredients?: readonly Ingredient[];
};

/** The file with the service's statements about its outputs. */
export async function signFile(
  engine: CredentialsEngine,
  { signer }: Pick<TestIssuer, "signer">,
  { bytes, mimeType, origin = ORIGIN, ingredients = [] }: ToSign,
): Promise<Buffer> {
  const created = {
    action: "c2pa.created",
    digitalSourceType: TRAINED,
    ...(ingredients.length > 0 && { parameters: { ingredientIds: ingredients.map(({ title }) => title) } }),
  };
  const definition = {
    claim_generator_info: [{ name: "Atelier", version: "0.1.0" }],
    assertions: [
      { label: "c2pa.actions.v2", data: { actions: [created] }, created: true },
      { label: "org.atelier.generation", data: origin, created: true },
    ],
  };
  return Buffer.from(await engine.sign({ bytes, mimeType, definition, ingredients, signer }));
}

/** Flips one bit of the content, before or after the manifest. */
export function flipped(file: Buffer): Buffer {
  const changed = Buffer.from(file);
  const { start, end } = storeOf(file);
  const behind = file.length - end;
  const at = behind > start ? end + (behind >> 1) : start - 40;
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}

/** `donor`'s manifest in place of `file`'s; both are of one kind and have manifests of one length. */
export function withManifestOf(donor: Buffer, file: Buffer): Buffer {
  const [from, to] = [storeOf(donor), storeOf(file)];
  if (from.end - from.start !== to.end - to.start) throw new Error("the manifests are not equally long");
  return Buffer.concat([
    file.subarray(0, to.start),
    donor.subarray(from.start, from.end),
    file.subarray(to.end),
  ]);
}

/** The manifest with another text in place of `statement`, not signed again. */
export function withOtherStatement(file: Buffer, statement = ORIGIN.ledger_entry_hash): Buffer {
  const at = file.lastIndexOf(statement);
  if (at === -1) throw new Error("the file has no such statement");
  const other = Buffer.alloc(statement.length, "c");
  return Buffer.concat([file.subarray(0, at), other, file.subarray(at + statement.length)]);
}

/** A PNG that names a URL for its manifest. */
export function withRemoteManifest(png: Buffer, address: string): Buffer {
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dcterms="http://purl.org/dc/terms/" dcterms:provenance="${address}"/></rdf:RDF></x:xmpmeta>`;
  const body = Buffer.from(`iTXtXML:com.adobe.xmp\0\0\0\0\0${xmp}`, "latin1");
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  const behindHeader = 33;
  return Buffer.concat([png.subarray(0, behindHeader), chunk, png.subarray(behindHeader)]);
}

/** The positions of all manifests in a file. GIF splits them into blocks of 255 bytes with a byte before each. */
export function storeOf(file: Buffer): { start: number; end: number } {
  const isGif = file.subarray(0, 3).toString("latin1") === "GIF";
  const start = file.indexOf("jumdc2pa") - 12;
  if (start < 0) throw new Error("the file has no manifest");
  const length = file.readUInt32BE(start);
  return { start, end: start + length + (isGif ? Math.floor(length / 255) : 0) };
}
