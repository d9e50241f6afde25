// `npm run try-image [-- --work FOLDER]`: builds the image on this machine and checks docs/operations/deploy.md: its size, user,
// read-only root, health check and SBOM; then runs the whole demo from it, in production, in the cluster of compose.yaml. Needs root, Debian,
// buildah, debootstrap and openssl; no container engine and no image registry, because it makes the base image itself. --work keeps the base,
// the image and the logs there; it takes about 4 GB and ten minutes.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { git } from "./release/project.ts";
import { buildImage } from "./release/image.ts";
import { collectUndos, runCommand } from "./testbed/command.ts";
import { makeBase } from "./testbed/image/base.ts";
import { useStorage } from "./testbed/image/buildah.ts";
import { describeBill, describeSize } from "./testbed/image/facts.ts";
import { plainContainer, readOnlyContainer } from "./testbed/image/container.ts";
import { checkCluster } from "./testbed/image/run.ts";
import { openCluster } from "./testbed/open-cluster.ts";
import { seedCluster } from "./testbed/with-app.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const NEEDED = ["buildah", "debootstrap", "openssl", "unshare"];

const { values } = parseArgs({ options: { work: { type: "string" } } });
const missing = NEEDED.filter((program) => spawnSync(program, ["--version"], { stdio: "ignore" }).error);
if (process.getuid?.() !== 0 || missing.length > 0) {
  const why = missing.length > 0 ? `needs ${missing.join(", ")}` : "builds roots, so it needs root";
  console.error(`try-image ${why}. apt-get install buildah debootstrap openssl`);
  process.exit(1);
}

await runCommand("try-image", async (atEnd) => {
  const isKept = values.work !== undefined;
  const work = isKept ? resolve(values.work ?? "") : mkdtempSync(join(tmpdir(), "atelier-image-"));
  mkdirSync(work, { recursive: true });
  if (!isKept) atEnd(() => rmSync(work, { recursive: true, force: true }));
  const buildah = useStorage(join(work, "storage"));
  await makeBase(buildah, { root: ROOT, work });

  console.log("\nBuilding deploy/Containerfile");
  const startedAt = performance.now();
  const order = {
    tree: ROOT,
    version: "local",
    revision: git(ROOT, "rev-parse", "HEAD"),
    committedAt: Number(git(ROOT, "log", "-1", "--format=%ct")),
    archive: join(work, "image.tar"),
  };
  rmSync(order.archive, { force: true });
  buildImage("buildah", order);
  console.log(`  built and packed in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  const mounted = buildah.mount("atelier:local");
  atEnd(mounted.remove);
  describeSize(order.archive, mounted.path);
  describeBill(mounted.path, work);

  const ways = {
    "Run by buildah": (secrets: string) => plainContainer(mounted, secrets, buildah.env),
    "On a read-only root, without capabilities": (secrets: string) =>
      readOnlyContainer(mounted, secrets, buildah.envOf("atelier:local")),
  };
  for (const [way, contain] of Object.entries(ways)) {
    console.log(`\n${way}`);
    const folder = join(work, "cluster");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(folder, "secrets"), { recursive: true });
    // The image's user reads them, and the outer folder keeps them from others.
    chmodSync(folder, 0o700);
    chmodSync(join(folder, "secrets"), 0o755);
    const { atEnd: atEndOfWay, undoAll } = collectUndos();
    atEnd(undoAll);
    const cluster = await openCluster(atEndOfWay, { folder, container: contain(join(folder, "secrets")) });
    await seedCluster(cluster);
    await checkCluster(cluster);
    await undoAll();
  }
  console.log("\nall of it holds");
  return 0;
});
