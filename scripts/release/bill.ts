// A project's SBOM (CycloneDX, made by npm), the same for the same packages. As a program it prints the production SBOM of this folder, for
// the image.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const MAX_BYTES = 64 * 1024 * 1024;

export type BillOptions = {
  /**
   * `installed`: the installed packages with development dependencies, and an error when they differ from the lockfile. `locked`:
   * production dependencies for every system. `production`: those installed for this system.
   */
  readonly packages: "installed" | "locked" | "production";
  /** Seconds since 1970: the time in the SBOM. */
  readonly committedAt?: number | undefined;
};

/** Throws npm's complaint. */
export function makeBill(root: string, { packages, committedAt }: BillOptions): string {
  // Without development dependencies npm reports them as missing.
  const which = packages === "installed" ? [] : ["--omit=dev", "--package-lock-only"];
  const { status, stdout, stderr } = spawnSync(
    "npm",
    ["sbom", "--sbom-format=cyclonedx", "--sbom-type=application", ...which],
    { cwd: root, encoding: "utf8", maxBuffer: MAX_BYTES, shell: process.platform === "win32" },
  );
  if (status !== 0) throw new Error(`npm sbom: ${stderr.trim()}`);
  const {
    serialNumber: _,
    metadata,
    components,
    dependencies,
    ...bill
  } = billSchema.parse(JSON.parse(stdout));
  const { timestamp: __, component, ...about } = metadata;
  const time = committedAt === undefined ? {} : { timestamp: new Date(committedAt * 1000).toISOString() };
  const installed = packages === "production" ? installedIn(root) : undefined;
  const own = component["bom-ref"];
  const isListed = (ref: string): boolean => installed === undefined || ref === own || installed.has(ref);
  // npm uses the folder's name.
  const { name } = packageSchema.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  const same = {
    ...bill,
    metadata: { ...time, ...about, component: { ...component, name } },
    components: components.filter((one) => isListed(one["bom-ref"])),
    dependencies: dependencies
      .filter(({ ref }) => isListed(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isListed) })),
  };
  return `${JSON.stringify({ serialNumber: serialOf(JSON.stringify(same)), ...same }, undefined, 2)}\n`;
}

const part = z.looseObject({ "bom-ref": z.string() });
const billSchema = z.looseObject({
  serialNumber: z.string(),
  metadata: z.looseObject({ timestamp: z.string(), component: part }),
  components: z.array(part),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});
const packageSchema = z.object({ name: z.string() });
const installedSchema = z.object({ packages: z.record(z.string(), z.object({ version: z.string() })) });

/** As npm records it at installation: name@version of each. */
function installedIn(root: string): Set<string> {
  const text = readFileSync(join(root, "node_modules/.package-lock.json"), "utf8");
  const { packages } = installedSchema.parse(JSON.parse(text));
  return new Set(
    Object.entries(packages).map(([path, { version }]) => `${path.split("node_modules/").at(-1)}@${version}`),
  );
}

/** npm's random serial number is replaced by one of the content, as a UUID of version 8. */
function serialOf(content: string): string {
  const hex = createHash("sha256").update(content).digest("hex");
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return `urn:uuid:${parts.join("-")}`;
}

if (import.meta.main) process.stdout.write(makeBill(process.cwd(), { packages: "production" }));
