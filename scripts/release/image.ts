// Builds the image of a tree with any working engine of this machine, into an archive that every engine loads.
import { spawnSync } from "node:child_process";
import { Refusal } from "./project.ts";

const ENGINES = ["buildah", "podman", "docker"] as const;
export type Engine = (typeof ENGINES)[number];

export type ImageOrder = {
  readonly tree: string;
  readonly version: string;
  readonly revision: string;
  /** Seconds since 1970: the time of every file and of the image itself. */
  readonly committedAt: number;
  readonly archive: string;
};

/** The first engine that works: the docker command often exists without its service. */
export function findEngine(): Engine | undefined {
  return ENGINES.find((engine) => spawnSync(engine, ["info"], { stdio: "ignore" }).status === 0);
}

export function buildImage(engine: Engine, order: ImageOrder): void {
  const { tree, version, revision, committedAt, archive } = order;
  const image = `atelier:${version}`;
  const labels = {
    "org.opencontainers.image.version": version,
    "org.opencontainers.image.revision": revision,
  };
  const common = [
    ...Object.entries(labels).map(([name, value]) => `--label=${name}=${value}`),
    `--tag=${image}`,
    "--file=deploy/Containerfile",
  ];
  if (engine === "docker") {
    run(engine, ["build", `--build-arg=SOURCE_DATE_EPOCH=${committedAt}`, ...common, "."], tree);
    run(engine, ["save", `--output=${archive}`, image], tree);
    return;
  }
  const ignore = "--ignorefile=deploy/Containerfile.dockerignore";
  run(engine, ["build", `--timestamp=${committedAt}`, ignore, ...common, "."], tree);
  if (engine === "podman") run(engine, ["save", "--format=oci-archive", `--output=${archive}`, image], tree);
  else run(engine, ["push", image, `oci-archive:${archive}:${image}`], tree);
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Refusal(`${command} ${args[0]} failed; what it said is above.`);
}
