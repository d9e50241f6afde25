// Fails when a Markdown file links to a file or a heading, or names a path of this repository, that does not exist.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { git } from "./release/project.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** [text](target) and ![alt](target), without external targets. */
const LINK = /\[[^\]]*\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g;
const EXTERNAL = /^[a-z][a-z0-9+.-]*:/i;
/** A file or folder of this repository in a text, such as core/studio/jobs/accept.ts or docs/. */
const PATH =
  /(?<![\w./:@*-])(?:proto|runtime|edge|core|gateway|mcp|cli|clients|scripts|test|bench|docs)\/(?:[\w.@<>*-]+\/)*(?:[\w.@<>*-]*\.(?:ts|js|json|md|css|proto|py|yml)\b)?(?=[^\w/-]|$)/gm;
/** A placeholder in a path. */
const PLACEHOLDER = /[^/]*(?:[<*]|NNNN)/;

const problems: string[] = [];

for (const file of markdownFiles()) {
  const text = readFileSync(join(ROOT, file), "utf8");
  for (const [, target] of withoutCode(text).matchAll(LINK)) {
    if (target && !EXTERNAL.test(target) && !isOfTheSite(file, target)) checkLink(file, target);
  }
  for (const [path] of text.matchAll(PATH)) checkPath(file, path);
}

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

function markdownFiles(): string[] {
  const listing = git(ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "*.md");
  return listing.split("\n").filter((file) => file !== "" && existsSync(join(ROOT, file)));
}

/** The website shows these texts, whose links lead to its pages; test/site/frame.test.ts follows them. */
function isOfTheSite(file: string, target: string): boolean {
  return file.startsWith("gateway/site/") && target.startsWith("/");
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

/** A path must exist up to its first placeholder. */
function checkPath(file: string, path: string): void {
  const fixed = path.split(PLACEHOLDER)[0] ?? "";
  if (!existsSync(join(ROOT, fixed))) problems.push(`${file}: names ${path}, which is not there`);
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
