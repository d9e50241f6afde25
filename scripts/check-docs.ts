// Fails when a Markdown file links to a file, a heading or, in a table of the README, to a path that is not there.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** [text](target) and ![alt](target); targets with a scheme are other people's to keep. */
const LINK = /\[[^\]]*\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g;
const EXTERNAL = /^[a-z][a-z0-9+.-]*:/i;
/** A path of this repository, as the README's tables write it: `core/jobs/accept.ts`, `docs/`. */
const QUOTED_PATH = /`([\w.@-]+(?:\/[\w.@<>*-]*)+)`/g;

const problems: string[] = [];

for (const file of markdownFiles()) {
  const text = withoutCode(readFileSync(join(ROOT, file), "utf8"));
  for (const [, target] of text.matchAll(LINK)) {
    if (target && !EXTERNAL.test(target)) checkLink(file, target);
  }
}
if (existsSync(join(ROOT, "README.md"))) checkTables("README.md");

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

function markdownFiles(): string[] {
  const listing = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  return listing.split("\n").filter((file) => file !== "" && existsSync(join(ROOT, file)));
}

function checkLink(file: string, target: string): void {
  const [path = "", anchor] = decodeURIComponent(target).split("#");
  const linked = path === "" ? file : normalize(join(dirname(file), path));
  const absolute = join(ROOT, linked);
  if (relative(ROOT, absolute).startsWith("..") || !existsSync(absolute)) {
    problems.push(`${file}: ${target} is not there`);
  } else if (
    anchor &&
    statSync(absolute).isFile() &&
    linked.endsWith(".md") &&
    !anchorsOf(absolute).has(anchor)
  ) {
    problems.push(`${file}: ${target} names a heading that is not there`);
  }
}

/** Paths in table rows must exist, up to the first part that stands for a name of the reader's choosing. */
function checkTables(file: string): void {
  const rows = readFileSync(join(ROOT, file), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("|"));
  for (const [, path = ""] of rows.join("\n").matchAll(QUOTED_PATH)) {
    const fixed = path.split(/[^/]*[<*]/)[0] ?? "";
    if (!path.startsWith("/") && !existsSync(join(ROOT, fixed)))
      problems.push(`${file}: its table names ${path}, which is not there`);
  }
}

/** The anchors that GitHub makes of headings. */
function anchorsOf(path: string): Set<string> {
  const anchors = new Set<string>();
  const seen = new Map<string, number>();
  for (const [, heading = ""] of withoutFences(readFileSync(path, "utf8")).matchAll(
    /^#{1,6}\s+(.+?)\s*#*$/gm,
  )) {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-");
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    anchors.add(times === 0 ? slug : `${slug}-${times}`);
  }
  return anchors;
}

function withoutFences(text: string): string {
  return text.replace(/^(```|~~~)[\s\S]*?^\1/gm, "");
}

function withoutCode(text: string): string {
  return withoutFences(text).replace(/`[^`\n]*`/g, "");
}
