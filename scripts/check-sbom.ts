// The bill of materials (CycloneDX, made by npm) of what is installed, as a step of `npm run check`. Fails where that is not what
// the lockfile says (missing, extraneous or invalid packages), and where a package has no licence or no checksum.
// Argument: another project's folder, for tests. The bill itself: npm sbom --sbom-format cyclonedx
import { existsSync, readFileSync } from "node:fs";
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
      link: z.boolean().optional(),
      inBundle: z.boolean().optional(),
      optional: z.boolean().optional(),
    }),
  ),
});

function problemsOf(root: string, bill: string): string[] {
  const { components } = billSchema.parse(JSON.parse(bill));
  const unlicensed = components.filter(({ licenses = [] }) => licenses.length === 0);
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")));
  const unpinned = Object.entries(packages).filter(
    ([path, { integrity, link, inBundle, optional }]) =>
      path !== "" &&
      !integrity &&
      !link &&
      !inBundle &&
      // npm cannot know the checksum of a package for another system that its registry does not have.
      !(optional && !existsSync(join(root, path))),
  );
  // npm fails by itself over what is missing or of a wrong version, and lists what nobody asked for.
  const extraneous = components.filter(({ properties }) =>
    properties.some(({ name, value }) => name === "cdx:npm:package:extraneous" && value === "true"),
  );
  return [
    ...extraneous.map((component) => `extraneous: ${component["bom-ref"]}`),
    ...(components.length === 0 ? ["nothing is installed"] : []),
    ...unlicensed.map((component) => `${component["bom-ref"]} says no licence`),
    ...unpinned.map(([path]) => `${path} has no checksum in package-lock.json`),
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
