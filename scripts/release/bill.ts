// The bill of materials of a project (CycloneDX, made by npm), the same each time it is made of the same packages.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const MAX_BYTES = 64 * 1024 * 1024;

export type BillOptions = {
  /** What is installed with what it is developed with; what production is installed with; what the lockfile says for every system. */
  readonly packages: "installed" | "production" | "locked";
  /** In seconds since 1970: the time that the bill names. */
  readonly committedAt?: number | undefined;
};

const ARGUMENTS = {
  installed: [],
  production: ["--omit=dev"],
  locked: ["--omit=dev", "--package-lock-only"],
} as const;

/** Throws what npm says of packages that are missing or not of the version that is locked. */
export function makeBill(root: string, { packages, committedAt }: BillOptions): string {
  const { status, stdout, stderr } = spawnSync(
    "npm",
    ["sbom", "--sbom-format=cyclonedx", "--sbom-type=application", ...ARGUMENTS[packages]],
    {
      cwd: root,
      encoding: "utf8",
      maxBuffer: MAX_BYTES,
      shell: process.platform === "win32",
    },
  );
  if (status !== 0) throw new Error(`npm sbom: ${stderr.trim()}`);
  const { serialNumber: _, metadata, ...bill } = billSchema.parse(JSON.parse(stdout));
  const { timestamp: __, component, ...about } = metadata;
  const time = committedAt === undefined ? {} : { timestamp: new Date(committedAt * 1000).toISOString() };
  // npm names it after its folder.
  const { name } = packageSchema.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  const same = { ...bill, metadata: { ...time, ...about, component: { ...component, name } } };
  return `${JSON.stringify({ serialNumber: serialOf(JSON.stringify(same)), ...same }, undefined, 2)}\n`;
}

const packageSchema = z.object({ name: z.string() });
const billSchema = z.looseObject({
  serialNumber: z.string(),
  metadata: z.looseObject({ timestamp: z.string(), component: z.looseObject({}) }),
});

/** npm draws a serial number by chance; this one is the content's. In the form of a UUID of version 8. */
function serialOf(content: string): string {
  const hex = createHash("sha256").update(content).digest("hex");
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
