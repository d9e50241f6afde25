// What the image is: how large, of which layers and folders, and of which packages.
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const blobSchema = z.object({ digest: z.string(), size: z.number() });
const indexSchema = z.object({ manifests: z.array(blobSchema) });
const manifestSchema = z.object({ layers: z.array(blobSchema) });
const billSchema = z.object({ specVersion: z.string(), components: z.array(z.unknown()) });

/** `archive` is in the OCI layout; `root` is where the image lies unpacked. */
export function describeSize(archive: string, root: string): void {
  const read = (path: string): unknown =>
    JSON.parse(execFileSync("tar", ["-xOf", archive, path], { encoding: "utf8" }));
  const [manifest] = indexSchema.parse(read("index.json")).manifests;
  const { layers } = manifestSchema.parse(read(`blobs/sha256/${manifest?.digest.slice("sha256:".length)}`));
  console.log("\nSize");
  for (const [i, { digest, size }] of layers.entries())
    console.log(`  layer ${i + 1}  ${bytes(size)} compressed  ${digest.slice(0, 19)}`);
  console.log(
    `  all      ${bytes(layers.reduce((sum, { size }) => sum + size, 0))} compressed, as it is pulled`,
  );
  for (const path of [
    "",
    "usr/local/bin/node",
    "usr/local/lib/node_modules",
    "opt/atelier",
    "opt/atelier/node_modules",
  ]) {
    const [size] = execFileSync("du", ["-sb", join(root, path)], { encoding: "utf8" }).split("\t");
    console.log(`  ${bytes(Number(size))} unpacked in /${path}`);
  }
}

function bytes(size: number): string {
  return size.toLocaleString("en-US").padStart(11);
}

/** Copied out, to stand beside the image. */
export function describeBill(root: string, folder: string): void {
  const file = join(root, "opt/atelier/atelier.cdx.json");
  const { specVersion, components } = billSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  copyFileSync(file, join(folder, "atelier.cdx.json"));
  console.log(
    `\nBill of materials: CycloneDX ${specVersion}, ${components.length} packages, in ${join(folder, "atelier.cdx.json")}`,
  );
}
