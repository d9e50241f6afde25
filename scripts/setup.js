// Runs before every npm script, on whatever Node the machine has (16 or newer, so plain JavaScript): installs the locked
// dependencies when they are missing or stale, Node 24 among them, and costs a few milliseconds when they are not.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const WANTED_NODE = "v24.";
const root = process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url));
const modules = join(root, "node_modules");
const stamp = join(modules, ".atelier-lock-hash");
const node = join(modules, ".bin", "node");

const lock = readFileSync(join(root, "package-lock.json"));
const lockHash = createHash("sha256").update(lock).digest("hex");

if (!existsSync(node) || !existsSync(stamp) || readFileSync(stamp, "utf8") !== lockHash) {
  if (!installedMatches(lock)) install();
  assertNode();
  writeFileSync(stamp, lockHash);
}

/** True when what npm says it installed is what the lockfile asks for: somebody ran `npm install` by hand. */
function installedMatches(lockfile) {
  let installed;
  try {
    installed = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8")).packages;
  } catch {
    return false;
  }
  const wanted = Object.entries(JSON.parse(lockfile.toString()).packages).filter(([path]) => path !== "");
  return (
    existsSync(node) &&
    // An optional package may be one for another system.
    wanted.every(([path, { version, optional }]) =>
      installed[path] ? installed[path].version === version : Boolean(optional),
    )
  );
}

function install() {
  console.log("Installing the locked dependencies with npm ci; this happens once…");
  // Our own node_modules/.bin comes first in an npm script's PATH, and is about to be deleted.
  const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  const { status, error } = spawnSync("npm", ["ci", "--silent", "--no-audit", "--no-fund"], {
    cwd: root,
    env: { ...process.env, PATH: path.join(delimiter) },
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    fail(`npm ci failed${error ? ` (${error.message})` : ""}. Run it by hand in ${root} to see why.`);
  }
}

function assertNode() {
  const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  if (!stdout?.startsWith(WANTED_NODE)) {
    fail(
      `${node} should be Node 24 but ${stdout ? `is ${stdout.trim()}` : "does not run"}. ` +
        "The npm package `node` brings it through an install script: allow scripts (ignore-scripts=false) and run npm ci.",
    );
  }
}

function fail(line) {
  console.error(line);
  process.exit(1);
}
