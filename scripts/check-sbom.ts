// Checks the SBOM (CycloneDX, made by npm) of the installed packages, as a step of `npm run check`. Fails for differences from the lockfile
// (missing, extraneous or invalid packages), for packages without a licence or checksum, and for a lockfile with registry URLs. Argument:
// another project's folder, for tests. The SBOM itself: npm sbom --sbom-format cyclonedx
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { makeBill } from "./release/bill.ts";

const OWN_ROOT = fileURLToPath(new URL("..", import.meta.url));

const billSchema = z.object({
  components: z.array(
    z.object({
      "bom-ref": z.string(),
      licenses: z.array(z.unknown()).optional(),
      properties: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
    }),
  ),
});
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      link: z.boolean().optional(),
      inBundle: z.boolean().optional(),
    }),
  ),
});

function problemsOf(root: string, bill: string): string[] {
  const { components } = billSchema.parse(JSON.parse(bill));
  const unlicensed = components.filter(({ licenses = [] }) => licenses.length === 0);
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));
  // Includes packages for other systems, which npm would install unchecked without a checksum. npm leaves it out where the registry behind
  // the lockfile lacked the package, so another version or registry is needed.
  const unpinned = Object.entries(packages).filter(
    ([path, { integrity, link, inBundle }]) => path !== "" && !integrity && !link && !inBundle,
  );
  const bound = Object.entries(packages).filter(([, { resolved, link }]) => resolved !== undefined && !link);
  // npm itself fails for missing packages and wrong versions, and lists extraneous ones.
  const extraneous = components.filter(({ properties }) =>
    properties.some(({ name, value }) => name === "cdx:npm:package:extraneous" && value === "true"),
  );
  return [
    ...extraneous.map((component) => `extraneous: ${component["bom-ref"]}`),
    ...(components.length === 0 ? ["nothing is installed"] : []),
    ...unlicensed.map((component) => `${component["bom-ref"]} says no licence`),
    ...unpinned.map(([path]) => `${path} has no checksum in package-lock.json`),
    ...bound.map(
      ([path]) =>
        `${path} names a registry in package-lock.json: .npmrc must say omit-lockfile-registry-resolved`,
    ),
  ];
}

const [root = OWN_ROOT] = process.argv.slice(2);
try {
  const problems = problemsOf(root, makeBill(root, { packages: "installed" }));
  if (problems.length > 0) throw new Error(problems.join("\n"));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
