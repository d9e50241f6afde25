// Fetches a job's file, checks it against the job's record, keeps it, and names its kind by its first bytes.
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JobResource } from "../../proto/resources/job.ts";
import { expectThat } from "./expect.ts";

type Output = JobResource["outputs"][number];

export type SavedFile = { path: string; bytes: number; sha256: string; magic: string };

/** Fetched without a key: the address is signed. */
export async function fetchFile(output: Output, folder: string, name: string): Promise<SavedFile> {
  const response = await fetch(output.url);
  expectThat(
    response.status === 200,
    `the signed address of ${output.output_id} answered ${response.status}`,
  );
  const bytes = Buffer.from(await response.arrayBuffer());
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  expectThat(
    bytes.length === output.bytes && sha256 === output.sha256,
    `${output.output_id} has ${bytes.length} bytes with sha256 ${sha256}; its job says ${output.bytes} with ${output.sha256}`,
  );
  const kind = recognise(bytes);
  expectThat(
    kind?.mimeType === output.mime_type,
    `${output.output_id} looks like ${kind?.mimeType ?? "nothing known"}; its job says ${output.mime_type}`,
  );
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.${kind.extension}`);
  writeFileSync(path, bytes);
  return { path, bytes: bytes.length, sha256, magic: kind.magic };
}

/** The widest thumbnail of an output, as its address gives it. */
export async function fetchThumbnail(
  { output_id, thumbnails }: Output,
  folder: string,
  name: string,
): Promise<string> {
  const thumbnail = thumbnails.at(-1);
  expectThat(thumbnail !== undefined, `${output_id} has no thumbnail`);
  const bytes = Buffer.from(await (await fetch(thumbnail.url)).arrayBuffer());
  expectThat(
    bytes.length === thumbnail.bytes && bytes.toString("latin1", 8, 12) === "WEBP",
    `the thumbnail of ${output_id} has ${bytes.length} bytes; its job says ${thumbnail.bytes}, of WebP`,
  );
  const path = join(folder, `${name}.webp`);
  writeFileSync(path, bytes);
  return `${path}  ${bytes.length} bytes  WebP, ${thumbnail.width} x ${thumbnail.height}`;
}

type Kind = { mimeType: string; extension: string; magic: string };

/** What the bytes themselves say, whatever anybody calls them. */
function recognise(bytes: Buffer): Kind | undefined {
  const ascii = (from: number, to: number) => bytes.subarray(from, to).toString("latin1");
  if (ascii(0, 8) === "\x89PNG\r\n\x1a\n" && ascii(12, 16) === "IHDR") {
    const [width, height, depth] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20), bytes.readUInt8(24)];
    return {
      mimeType: "image/png",
      extension: "png",
      magic: `PNG image, ${width} x ${height}, ${depth} bits a channel`,
    };
  }
  if (ascii(0, 4) === "RIFF" && ascii(8, 12) === "WAVE" && ascii(12, 16) === "fmt ") {
    const [channels, rate, bits] = [bytes.readUInt16LE(22), bytes.readUInt32LE(24), bytes.readUInt16LE(34)];
    return {
      mimeType: "audio/wav",
      extension: "wav",
      magic: `RIFF WAVE audio, ${bits} bit, ${channels === 1 ? "mono" : `${channels} channels`}, ${rate} Hz`,
    };
  }
  if (ascii(4, 8) === "ftyp") {
    const codec = bytes.includes("avc1") ? ", H.264 video" : "";
    return {
      mimeType: "video/mp4",
      extension: "mp4",
      magic: `ISO media, brand ${ascii(8, 12).trim()}${codec}`,
    };
  }
  return undefined;
}
