// Releases: refused versions, the contents of commit and tag, and reproducible artifacts.
import { execFileSync, spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RELEASE } from "../../runtime/release.ts";
import { VERSION_FILES, cutRelease, refusal, withVersion } from "../../scripts/release/version.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SCRIPT = join(ROOT, "scripts/release.ts");

describe("a release version", () => {
  test.each([
    ["1.2.0", ["v1.1.9", "v0.9.0"]],
    ["1.10.0", ["v1.9.0"]],
    ["2.0.0-rc.1", ["v1.9.0"]],
    ["2.0.0", ["v2.0.0-rc.2"]],
    ["2.0.0-rc.10", ["v2.0.0-rc.9"]],
    // Tags of other things.
    ["0.1.0", ["very-old", "v1"]],
  ])("%s may follow %j", (version, tags) => expect(refusal(version, "0.1.0", tags)).toBeUndefined());

  test.each([
    ["1.2", [], "is not a version"],
    ["v1.2.3", [], "is not a version"],
    ["1.02.3", [], "is not a version"],
    ["1.2.3-beta", [], "is not a version"],
    ["1.1.9", ["v1.1.9"], "is not newer than v1.1.9"],
    ["1.9.0", ["v0.9.0", "v1.10.0"], "is not newer than v1.10.0"],
    ["2.0.0-rc.1", ["v2.0.0"], "is not newer than v2.0.0"],
    ["0.0.9", [], "is older than 0.1.0"],
  ])("%s may not follow %j", (version, tags, why) => expect(refusal(version, "0.1.0", tags)).toContain(why));
});

test("the changelog's unreleased part becomes the release, and older parts are unchanged", () => {
  const older = "## [1.0.0] - 2026-01-01\n\n- The first.\n";
  const cut = cutRelease(
    `# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A bell.\n\n${older}`,
    "1.1.0",
    "2026-02-03",
  );
  expect(cut).toEqual({
    changelog: `# Changelog\n\n## [Unreleased]\n\n## [1.1.0] - 2026-02-03\n\n### Added\n\n- A bell.\n\n${older}`,
    notes: "### Added\n\n- A bell.",
  });
  expect(
    cutRelease(`# Changelog\n\n## [Unreleased]\n\n### Added\n\n${older}`, "1.1.0", "2026-02-03"),
  ).toBeUndefined();
});

test("every file with a version has that of package.json, and can be set to another", () => {
  for (const file of VERSION_FILES) {
    const text = readFileSync(join(ROOT, file.path), "utf8");
    expect(withVersion(file, text, RELEASE), file.path).toBe(text);
    expect(withVersion(file, text, "99.0.0"), file.path).not.toBe(text);
  }
});

describe("the release script", () => {
  let project: string;
  let engines: string;
  beforeAll(() => {
    project = mkdtempSync(join(tmpdir(), "atelier-release-test-"));
    // The programs that the script calls, and no container engine.
    engines = mkdtempSync(join(tmpdir(), "atelier-release-path-"));
    for (const name of ["git", "npm", "node", "tar", "sh"]) symlinkSync(found(name), join(engines, name));
    const own = { name: "vase", version: "0.1.0", license: "MIT" };
    write("package.json", `${JSON.stringify(own, undefined, 2)}\n`);
    const lock = {
      name: "vase",
      version: "0.1.0",
      lockfileVersion: 3,
      requires: true,
      packages: { "": own },
    };
    write("package-lock.json", `${JSON.stringify(lock, undefined, 2)}\n`);
    write("CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A bell.\n");
    write("deploy/helm/atelier/Chart.yaml", "name: atelier\nversion: 0.1.0\nappVersion: 0.1.0\n");
    git("init", "--quiet");
    git("config", "user.name", "Ada");
    git("config", "user.email", "ada@example.com");
    commit();
  });
  afterAll(() => {
    for (const folder of [project, engines]) rmSync(folder, { recursive: true });
  });

  const found = (name: string): string =>
    execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: project, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  const commit = (): void => {
    git("add", ".");
    git("commit", "--quiet", "--message", "Work");
  };
  function write(path: string, text: string): void {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  function run(...args: string[]): { code: number | null; said: string; complained: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, "--project", project, ...args], {
      encoding: "utf8",
      env: { ...process.env, PATH: engines },
    });
    return { code: status, said: stdout, complained: stderr.trim() };
  }

  test("refuses a folder with changes, and changes nothing", () => {
    write("package.json", readFileSync(join(project, "package.json"), "utf8").replace("MIT", "ISC"));
    const { code, complained } = run("1.0.0");
    expect([code, complained]).toEqual([1, expect.stringContaining("changes that are not committed")]);
    git("checkout", "--quiet", ".");
    expect(run("--artifacts", "out").complained).toContain("not the release v0.1.0");
    expect(git("tag")).toBe("");
  });

  test("prints its steps with --dry-run", () => {
    const { code, said } = run("1.0.0", "--dry-run", "--artifacts", "out");
    expect(code).toBe(0);
    expect(said).toContain("would release 1.0.0");
    expect(said).toContain("- A bell.");
    expect([git("status", "--porcelain"), git("tag")]).toEqual(["", ""]);
  });

  test("commits and tags, then refuses the same version again, and an empty release", () => {
    expect(run("1.0.0").code).toBe(0);
    expect(git("status", "--porcelain")).toBe("");
    expect(git("log", "-1", "--format=%s")).toBe("Release 1.0.0");
    expect(git("tag", "--list", "--format=%(contents)", "v1.0.0")).toBe(
      "Atelier 1.0.0\n\n### Added\n\n- A bell.",
    );
    expect(git("diff", "HEAD~", "--name-only").split("\n")).toEqual([
      "CHANGELOG.md",
      "deploy/helm/atelier/Chart.yaml",
      "package-lock.json",
      "package.json",
    ]);
    expect(git("show", "HEAD:deploy/helm/atelier/Chart.yaml")).toBe(
      "name: atelier\nversion: 1.0.0\nappVersion: 1.0.0",
    );
    expect(run("1.0.0").complained).toBe("1.0.0 is not newer than v1.0.0, which is released.");
    expect(run("1.0.1").complained).toContain("nothing to release");
  });

  test("builds reproducible artifacts with checksums, and lists the missing ones", () => {
    const [first = "", second = ""] = ["first", "second"].map((name) => {
      const folder = join(engines, name);
      const { code, said } = run("--artifacts", folder);
      expect(code).toBe(0);
      expect(said).toContain("left out: the image");
      return folder;
    });
    const files = ["SHA256SUMS", "atelier-1.0.0-chart.tgz", "atelier-1.0.0.cdx.json", "atelier-1.0.0.tar.gz"];
    expect(readdirSync(first).toSorted()).toEqual(files);
    expect(readFileSync(join(second, "SHA256SUMS"), "utf8")).toBe(
      readFileSync(join(first, "SHA256SUMS"), "utf8"),
    );
    expect(spawnSync("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: first }).status).toBe(0);
    const packed = execFileSync("tar", ["-tzf", join(first, "atelier-1.0.0-chart.tgz")], {
      encoding: "utf8",
    });
    expect(packed).toContain("atelier/Chart.yaml");
  });
});
