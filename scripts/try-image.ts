// `npm run try-image [-- --work FOLDER]`: builds the image on this machine and checks docs/operations/deploy.md: its size, user,
// read-only root and health check; then runs the whole demo from it, in production, in the cluster of compose.yaml. Needs root, Debian,
// buildah, debootstrap and openssl; no container engine and no image registry, because it makes the base image itself. --work keeps the base,
// the image and the logs there; it takes about 4 GB and ten minutes.
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { z } from "zod";
import { buildImage } from "./release/image.ts";
import { git } from "./release/project.ts";
import { openCluster } from "./testbed/cluster.ts";
import { runCommand } from "./testbed/command.ts";
import { type Buildah, useStorage } from "./testbed/image/buildah.ts";
import { readOnlyContainer } from "./testbed/image/container.ts";
import { checkCluster } from "./testbed/image/run.ts";
import { seedCluster } from "./testbed/with-app.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const NEEDED = ["buildah", "debootstrap", "openssl", "unshare"];

const billSchema = z.object({ components: z.array(z.unknown()).min(1) });

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
  describe(order.archive, mounted.path);

  console.log("\nOn a read-only root, without capabilities");
  const folder = join(work, "cluster");
  const secrets = join(folder, "secrets");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(secrets, { recursive: true });
  // The image's user reads them, and the outer folder keeps them from others.
  chmodSync(folder, 0o700);
  chmodSync(secrets, 0o755);
  const container = readOnlyContainer(mounted, secrets, buildah.envOf("atelier:local"));
  const cluster = await openCluster(atEnd, { folder, container });
  await seedCluster(cluster);
  await checkCluster(cluster);
  console.log("\nall of it holds");
  return 0;
});

/** `root` is the unpacked image. */
function describe(archive: string, root: string): void {
  const [unpacked] = execFileSync("du", ["-sb", root], { encoding: "utf8" }).split("\t");
  const bill: unknown = JSON.parse(readFileSync(join(root, "opt/atelier/atelier.cdx.json"), "utf8"));
  const { components } = billSchema.parse(bill);
  const inMb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
  console.log(`  ${inMb(statSync(archive).size)} packed, ${inMb(Number(unpacked))} unpacked`);
  console.log(`  bill of materials: ${components.length} packages`);
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
