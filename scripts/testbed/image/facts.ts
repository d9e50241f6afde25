// Facts about the image: size, layers, folders and packages.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type AnySchema } from "ajv";
import { z } from "zod";

const SCHEMAS = "@cyclonedx/cyclonedx-library@10.3.0";

const blobSchema = z.object({ digest: z.string(), size: z.number() });
const indexSchema = z.object({ manifests: z.array(blobSchema) });
const manifestSchema = z.object({ layers: z.array(blobSchema) });
const billSchema = z.object({ specVersion: z.string(), components: z.array(z.unknown()) });

/** `archive` is in the OCI layout; `root` is the unpacked image. */
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

/** Copied out of the image, and validated against its schema. */
export function describeBill(root: string, folder: string): void {
  const copy = join(folder, "atelier.cdx.json");
  copyFileSync(join(root, "opt/atelier/atelier.cdx.json"), copy);
  const bill: unknown = JSON.parse(readFileSync(copy, "utf8"));
  const { specVersion, components } = billSchema.parse(bill);
  const found = checkBill(bill, specVersion, folder);
  if (found.length > 0) throw new Error(`the bill of materials is not CycloneDX ${specVersion}: ${found[0]}`);
  console.log(
    `\nBill of materials: valid CycloneDX ${specVersion}, ${components.length} packages, in ${copy}`,
  );
}

/** Validates with the schemas of CycloneDX's own library. Returns the errors. */
function checkBill(bill: unknown, specVersion: string, folder: string): string[] {
  const work = join(folder, "schemas");
  mkdirSync(work, { recursive: true });
  execFileSync("npm", ["pack", "--silent", `--pack-destination=${work}`, SCHEMAS], { stdio: "ignore" });
  const [packed = ""] = readdirSync(work).filter((name) => name.endsWith(".tgz"));
  execFileSync("tar", ["-xzf", join(work, packed), "-C", work, "package/res/schema"]);
  const read = (name: string): AnySchema =>
    JSON.parse(
      readFileSync(join(work, `package/res/schema/${name}.SNAPSHOT.schema.json`), "utf8"),
    ) as AnySchema;
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  for (const name of ["spdx", "jsf-0.82"])
    ajv.addSchema(read(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  const judge = ajv.compile(read(`bom-${specVersion}`));
  void judge(bill);
  return (judge.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
