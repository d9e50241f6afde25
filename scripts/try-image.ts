// `npm run try-image [-- --work FOLDER]`: builds the image on this machine and checks docs/operations/deploy.md: its size, user,
// read-only root, health check and SBOM; then runs the whole demo from it, in production, in the cluster of compose.yaml. Needs root, Debian,
// buildah, debootstrap and openssl; no container engine and no image registry, because it makes the base image itself. --work keeps the base,
// the image and the logs there; it takes about 4 GB and ten minutes.
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Ajv, type AnySchema } from "ajv";
import { z } from "zod";
import { buildImage } from "./release/image.ts";
import { git } from "./release/project.ts";
import { collectUndos, runCommand } from "./testbed/command.ts";
import { type Buildah, useStorage } from "./testbed/image/buildah.ts";
import { plainContainer, readOnlyContainer } from "./testbed/image/container.ts";
import { checkCluster } from "./testbed/image/run.ts";
import { openCluster } from "./testbed/open-cluster.ts";
import { seedCluster } from "./testbed/with-app.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const NEEDED = ["buildah", "debootstrap", "openssl", "unshare"];

const SCHEMAS = "@cyclonedx/cyclonedx-library@10.3.0";

const blobSchema = z.object({ digest: z.string(), size: z.number() });
const indexSchema = z.object({ manifests: z.array(blobSchema) });
const manifestSchema = z.object({ layers: z.array(blobSchema) });
const billSchema = z.object({ specVersion: z.string(), components: z.array(z.unknown()) });

const SUITE = "bookworm";
/** Files that a root needs only while it is made. */
const LEFTOVERS = [
  "var/cache/apt",
  "var/lib/apt/lists",
  "var/log",
  "usr/share/doc",
  "usr/share/man",
  "usr/share/locale",
];

const { values } = parseArgs({ options: { work: { type: "string" } } });
const missing = NEEDED.filter((program) => spawnSync(program, ["--version"], { stdio: "ignore" }).error);
if (process.getuid?.() !== 0 || missing.length > 0) {
  const why = missing.length > 0 ? `needs ${missing.join(", ")}` : "builds roots, so it needs root";
  console.error(`try-image ${why}. apt-get install buildah debootstrap openssl`);
  process.exit(1);
}

await runCommand("try-image", async (atEnd) => {
  const isKept = values.work !== undefined;
  const work = isKept ? resolve(values.work ?? "") : mkdtempSync(join(tmpdir(), "atelier-image-"));
  mkdirSync(work, { recursive: true });
  if (!isKept) atEnd(() => rmSync(work, { recursive: true, force: true }));
  const buildah = useStorage(join(work, "storage"));
  await makeBase(buildah, { root: ROOT, work });

  console.log("\nBuilding deploy/Containerfile");
  const startedAt = performance.now();
  const order = {
    tree: ROOT,
    version: "local",
    revision: git(ROOT, "rev-parse", "HEAD"),
    committedAt: Number(git(ROOT, "log", "-1", "--format=%ct")),
    archive: join(work, "image.tar"),
  };
  rmSync(order.archive, { force: true });
  buildImage("buildah", order);
  console.log(`  built and packed in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  const mounted = buildah.mount("atelier:local");
  atEnd(mounted.remove);
  describeSize(order.archive, mounted.path);
  describeBill(mounted.path, work);

  const ways = {
    "Run by buildah": (secrets: string) => plainContainer(mounted, secrets, buildah.env),
    "On a read-only root, without capabilities": (secrets: string) =>
      readOnlyContainer(mounted, secrets, buildah.envOf("atelier:local")),
  };
  for (const [way, contain] of Object.entries(ways)) {
    console.log(`\n${way}`);
    const folder = join(work, "cluster");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(folder, "secrets"), { recursive: true });
    // The image's user reads them, and the outer folder keeps them from others.
    chmodSync(folder, 0o700);
    chmodSync(join(folder, "secrets"), 0o755);
    const { atEnd: atEndOfWay, undoAll } = collectUndos();
    atEnd(undoAll);
    const cluster = await openCluster(atEndOfWay, { folder, container: contain(join(folder, "secrets")) });
    await seedCluster(cluster);
    await checkCluster(cluster);
    await undoAll();
  }
  console.log("\nall of it holds");
  return 0;
});

/** `archive` is in the OCI layout; `root` is the unpacked image. */
function describeSize(archive: string, root: string): void {
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
function describeBill(root: string, folder: string): void {
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
  const validate = ajv.compile(read(`bom-${specVersion}`));
  void validate(bill);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/**
 * Builds the Containerfile's base image where no image registry is reachable: Debian bookworm by debootstrap, with the Node of the
 * lockfile and this machine's npm. It has the places and versions of the official one, not its bytes.
 */
async function makeBase(buildah: Buildah, { root, work }: { root: string; work: string }): Promise<void> {
  const containerfile = readFileSync(join(root, "deploy/Containerfile"), "utf8");
  const name = /^ARG NODE_IMAGE=(.+)$/m.exec(containerfile)?.[1] ?? "";
  if (buildah.hasImage(name)) return;
  console.log(`\nMaking the base, as ${name}`);
  const base = join(work, "base");
  if (!existsSync(base)) {
    const half = `${base}.half`;
    rmSync(half, { recursive: true, force: true });
    execFileSync("debootstrap", ["--variant=minbase", SUITE, half], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    for (const path of LEFTOVERS) rmSync(join(half, path), { recursive: true, force: true });
    for (const path of ["var/cache/apt/archives/partial", "var/lib/apt/lists/partial", "var/log"])
      mkdirSync(join(half, path), { recursive: true });
    addNode(root, half);
    renameSync(half, base);
  }
  const container = buildah("from", "scratch");
  buildah("copy", "--quiet", container, base, "/");
  buildah("config", "--env", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", container);
  buildah("commit", "--quiet", container, name);
  buildah("rm", container);
}

function addNode(root: string, base: string): void {
  const modules = join(base, "usr/local/lib/node_modules");
  mkdirSync(modules, { recursive: true });
  cpSync(realpathSync(join(root, "node_modules/.bin/node")), join(base, "usr/local/bin/node"));
  const npm = execFileSync("sh", ["-c", "command -v npm"], { encoding: "utf8" }).trim();
  cpSync(join(realpathSync(npm), "../.."), join(modules, "npm"), { recursive: true });
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", join(base, "usr/local/bin/npm"));
  // Behind a proxy with its own authority, the build trusts it as this machine does.
  const authorities = execFileSync("npm", ["config", "get", "cafile"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (!existsSync(authorities.trim())) return;
  const etc = join(base, "usr/local/etc");
  mkdirSync(etc, { recursive: true });
  cpSync(realpathSync(authorities.trim()), join(etc, "authorities.pem"));
  writeFileSync(join(etc, "npmrc"), "cafile=/usr/local/etc/authorities.pem\n");
}
