// Builds the Containerfile's base image where no image registry is reachable: Debian bookworm by debootstrap, with the Node of the lockfile
// and this machine's npm. It has the places and versions of the official one, not its bytes.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Buildah } from "./buildah.ts";

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

export async function makeBase(
  buildah: Buildah,
  { root, work }: { root: string; work: string },
): Promise<void> {
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
