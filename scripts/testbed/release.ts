// An earlier release next to this one: its files from git with its own lockfile's dependencies, and its modules that fill a database.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { seedDevelopment } from "../../core/entry/seed.ts";
import type { openApp } from "../../core/entry/start.ts";
import type { createAccount } from "../../core/identity/accounts/create-account.ts";
import type { createKey, provisionMemberKey } from "../../core/identity/accounts/create-key.ts";
import type { grantCredits } from "../../core/identity/credits/grant.ts";
import type { createLink } from "../../core/identity/sessions/create-link.ts";
import type { setMembership } from "../../core/shop/memberships/change-membership.ts";
import type { loadConfig } from "../../runtime/config/config.ts";
import type { createLog } from "../../runtime/log/log.ts";
import { CACHE_DIR } from "../../runtime/mongod/binary-cache.ts";
import type { createMetrics } from "../../runtime/ops/metrics.ts";
import { git, gitBytes } from "../release/project.ts";
import { ROOT } from "./compose.ts";

/** The commit that counts as the release before this one until there is a tag. */
const BEFORE_TAGS = "69c77e54";

/** The newest tag before this commit, or that commit. */
export function previousRelease(): string {
  const described = ["describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD~1"];
  try {
    return execFileSync("git", ["-C", ROOT, ...described], { stdio: ["ignore", "pipe", "ignore"] })
      .toString()
      .trim();
  } catch {
    return BEFORE_TAGS;
  }
}

/** Returns its folder. It is checked out and installed once. */
export function checkOut(ref: string, say: (line: string) => void): string {
  const commit = git(ROOT, "rev-parse", "--verify", `${ref}^{commit}`);
  const folder = join(CACHE_DIR, "releases", commit);
  if (existsSync(folder)) return folder;
  say(`checking out ${ref} and installing its dependencies`);
  // It gets its name when it is complete.
  const draft = `${folder}.partial`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  execFileSync("tar", ["-x", "-C", draft], { input: gitBytes(ROOT, "archive", commit) });
  execFileSync("npm", ["ci", "--omit=dev", "--no-audit", "--no-fund"], {
    cwd: draft,
    stdio: ["ignore", "ignore", "inherit"],
  });
  renameSync(draft, folder);
  return folder;
}

/** The modules of a release that a load needs. */
export type ReleaseCode = {
  openApp: typeof openApp;
  seedDevelopment: typeof seedDevelopment;
  createAccount: typeof createAccount;
  createKey: typeof createKey;
  provisionMemberKey: typeof provisionMemberKey;
  grantCredits: typeof grantCredits;
  setMembership: typeof setMembership;
  createLink: typeof createLink;
  loadConfig: typeof loadConfig;
  createLog: typeof createLog;
  createMetrics: typeof createMetrics;
};

const MODULES = [
  "core/entry/start.ts",
  "core/entry/seed.ts",
  "core/identity/accounts/create-account.ts",
  "core/identity/accounts/create-key.ts",
  "core/identity/credits/grant.ts",
  "core/shop/memberships/change-membership.ts",
  "core/identity/sessions/create-link.ts",
  "runtime/config/config.ts",
  "runtime/log/log.ts",
  "runtime/ops/metrics.ts",
];

/**
 * Loads the code of the release at `root`; this one by default. Releases before modules had slices directly in core/, and shared code in
 * runtime/.
 */
export async function loadCode(root = ROOT): Promise<ReleaseCode> {
  const paths = MODULES.map((path) => [path, path.replace(/^(core|runtime)\/[^/]+\//, "$1/")]).map(
    ([now = "", before = ""]) => join(root, existsSync(join(root, now)) ? now : before),
  );
  const modules = await Promise.all(paths.map((path) => import(pathToFileURL(path).href)));
  return Object.assign({}, ...modules) as ReleaseCode;
}
