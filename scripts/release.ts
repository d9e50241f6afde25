// `npm run release -- 1.2.3`: makes a release of the changelog's unreleased part: the version in every file with one, a commit and a tag.
// With --artifacts FOLDER it then builds the artifacts; without a version, those of the checked out release. --dry-run only prints the
// steps. docs/operations/releasing.md explains version numbers. --project is another project's folder, for tests.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { z } from "zod";
import { buildArtifacts } from "./release/artifacts.ts";
import { Refusal, git, isFile } from "./release/project.ts";
import { VERSION_FILES, cutRelease, refusal, withVersion } from "./release/version.ts";

const OWN_ROOT = fileURLToPath(new URL("..", import.meta.url));
const USAGE = "Use it as: npm run release -- [1.2.3] [--artifacts FOLDER] [--dry-run]";

try {
  const { values, positionals } = readArguments();
  const { project, artifacts, "dry-run": dryRun } = values;
  const [version] = positionals;
  if (positionals.length > 1 || (version === undefined && artifacts === undefined)) throw new Refusal(USAGE);
  const tag = version === undefined ? releasedHere(project) : release(project, version, dryRun);
  if (artifacts !== undefined && dryRun) console.log(`would build its artifacts into ${artifacts}`);
  else if (artifacts !== undefined) buildArtifacts(project, tag, artifacts);
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        project: { type: "string", default: OWN_ROOT },
        artifacts: { type: "string" },
        "dry-run": { type: "boolean", default: false },
      },
    });
  } catch (error) {
    throw new Refusal(`${(error as Error).message}\n${USAGE}`);
  }
}

/** Makes the commit and the tag. Returns the tag. */
function release(project: string, version: string, dryRun: boolean): string {
  const tag = `v${version}`;
  const changes = git(project, "status", "--porcelain");
  if (changes !== "") throw new Refusal(`There are changes that are not committed:\n${changes}`);
  const tags = git(project, "tag", "--list", "v*").split("\n").filter(Boolean);
  const why = refusal(version, versionOf(project), tags);
  if (why !== undefined) throw new Refusal(why);

  // The UTC day of the release.
  const date = new Date().toISOString().slice(0, 10);
  const cut = cutRelease(readFileSync(join(project, "CHANGELOG.md"), "utf8"), version, date);
  if (!cut) throw new Refusal('CHANGELOG.md has nothing under "Unreleased": there is nothing to release.');
  const files = new Map([["CHANGELOG.md", cut.changelog]]);
  for (const file of VERSION_FILES.filter(({ path }) => isFile(project, path)))
    files.set(file.path, withVersion(file, readFileSync(join(project, file.path), "utf8"), version));

  console.log(`${dryRun ? "would release" : "releasing"} ${version}, in ${[...files.keys()].join(", ")}`);
  if (dryRun) {
    console.log(`would commit and tag ${tag} with:\n\n${cut.notes}`);
    return tag;
  }
  for (const [path, text] of files) writeFileSync(join(project, path), text);
  git(project, "commit", "--quiet", "--message", `Release ${version}`, "--", ...files.keys());
  // git would remove headings of the notes as comments.
  git(
    project,
    "tag",
    "--annotate",
    "--cleanup=whitespace",
    "--message",
    `Atelier ${version}\n\n${cut.notes}`,
    tag,
  );
  console.log(`committed and tagged ${tag}; now: git push --follow-tags`);
  return tag;
}

function releasedHere(project: string): string {
  const tag = `v${versionOf(project)}`;
  const here = git(project, "tag", "--points-at", "HEAD").split("\n");
  if (!here.includes(tag))
    throw new Refusal(`What is checked out is not the release ${tag}: check that out first.`);
  return tag;
}

function versionOf(project: string): string {
  return z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(project, "package.json"), "utf8"))).version;
}
