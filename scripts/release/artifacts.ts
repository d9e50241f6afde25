// Builds a release's artifacts from its tag alone, reproducibly: sources, SBOM, chart, image, and checksums.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { makeBill } from "./bill.ts";
import { buildImage, findEngine } from "./image.ts";
import { Refusal, git, gitBytes } from "./project.ts";

const CHART = "deploy/helm/atelier";

export function buildArtifacts(project: string, tag: string, folder: string): void {
  const target = resolve(folder);
  mkdirSync(target, { recursive: true });
  if (readdirSync(target).length > 0)
    throw new Refusal(`${folder} is not empty: name a folder for this release alone.`);
  const version = tag.replace(/^v/, "");
  const name = `atelier-${version}`;
  const committedAt = Number(git(project, "log", "-1", "--format=%ct", tag));
  const tree = mkdtempSync(join(tmpdir(), "atelier-release-"));
  try {
    // From the commit, without other files of the folder.
    execFileSync("tar", ["-x", "-C", tree], { input: gitBytes(project, "archive", tag) });

    write(
      target,
      `${name}.tar.gz`,
      gzipSync(gitBytes(project, "archive", `--prefix=${name}/`, tag), { level: 9 }),
    );
    write(target, `${name}.cdx.json`, makeBill(tree, { packages: "locked", committedAt }));
    if (existsSync(join(tree, CHART)))
      write(target, `${name}-chart.tgz`, gzipSync(packChart(tree, committedAt), { level: 9 }));
    else console.log(`left out: the chart (${tag} has no ${CHART})`);
    const engine = findEngine();
    if (engine) {
      const file = `${name}-image.tar`;
      const revision = git(project, "rev-parse", `${tag}^{commit}`);
      buildImage(engine, { tree, version, revision, committedAt, archive: join(target, file) });
      console.log(`${file}, by ${engine}`);
    } else console.log("left out: the image (neither buildah, podman nor docker works here)");
    writeChecksums(target);
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

/** Helm's layout: the chart's folder under its name. Git would give a tag's folder the current time. */
function packChart(tree: string, committedAt: number): Buffer {
  const same = [
    // Alerts and dashboards are links to those of deploy/.
    "--dereference",
    "--sort=name",
    `--mtime=@${committedAt}`,
    "--owner=0",
    "--group=0",
    "--numeric-owner",
    "--mode=u+rw,go=r,a+X",
  ];
  return execFileSync("tar", ["-c", ...same, "-C", dirname(join(tree, CHART)), basename(CHART)]);
}

function write(target: string, file: string, bytes: Uint8Array | string): void {
  writeFileSync(join(target, file), bytes);
  console.log(file);
}

/** In the format of `sha256sum --check`. */
function writeChecksums(target: string): void {
  const lines = readdirSync(target)
    .toSorted()
    .map(
      (file) =>
        `${createHash("sha256")
          .update(readFileSync(join(target, file)))
          .digest("hex")}  ${file}\n`,
    );
  write(target, "SHA256SUMS", lines.join(""));
}
