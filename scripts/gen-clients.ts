// `npm run gen:clients`: makes the clients' types from the OpenAPI document, by generators of their languages in pinned versions. They are
// fetched from npm and PyPI, and what they make is committed. `npm run check` says when this has to be run.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MADE_MODELS, MADE_TYPES, readShapes, seal } from "./clients/shapes.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const TYPES_GENERATOR = ["openapi-typescript@7.13.0", "typescript@5.9.3"];
const MODELS_GENERATOR = "datamodel-code-generator==0.89.0";

const work = mkdtempSync(join(tmpdir(), "atelier-clients-"));
try {
  const shapes = readShapes(ROOT);
  writeFileSync(join(ROOT, MADE_TYPES), seal(makeTypes(shapes), shapes, "//"));
  writeFileSync(join(ROOT, MADE_MODELS), seal(makeModels(shapes), shapes, "#"));
} finally {
  rmSync(work, { recursive: true, force: true });
}
// What is made of them in turn.
execFileSync(process.execPath, [join(ROOT, "scripts/gen.ts")], { cwd: ROOT, stdio: "inherit" });

function makeTypes(shapes: string): string {
  const document = join(work, "types.json");
  writeFileSync(document, shapes);
  const out = join(work, "openapi.ts");
  const packages = TYPES_GENERATOR.flatMap((name) => ["--package", name]);
  const options = ["--export-type=false", "--empty-objects-unknown", "-o", out];
  run("npx", ["--yes", ...packages, "openapi-typescript", document, ...options]);
  return readFileSync(out, "utf8");
}

/** Plain dictionaries with types, which need nothing but the standard library when they run. */
function makeModels(shapes: string): string {
  const document = join(work, "models.json");
  writeFileSync(document, JSON.stringify(JSON.parse(shapes, withoutSpecials)));
  const venv = join(ROOT, ".cache", "client-models");
  const bin = join(venv, process.platform === "win32" ? "Scripts" : "bin");
  if (!existsSync(bin)) run("python3", ["-m", "venv", venv]);
  run(join(bin, "pip"), ["install", "--quiet", "--disable-pip-version-check", MODELS_GENERATOR]);
  const out = join(work, "models.py");
  const options = [
    `--input ${document} --input-file-type openapi --output ${out}`,
    "--output-model-type typing.TypedDict --target-python-version 3.10",
    "--enum-field-as-literal all --use-annotated --use-standard-collections",
    "--use-union-operator --use-title-as-name --disable-timestamp --use-field-description",
  ];
  run(
    join(bin, "datamodel-codegen"),
    options.flatMap((line) => line.split(" ")),
  );
  // A word that only checkers of types read; they bring its package with them.
  return readFileSync(out, "utf8")
    .replace(/^from typing import /m, "from typing import TYPE_CHECKING, ")
    .replace(
      "from typing_extensions import NotRequired",
      "if TYPE_CHECKING:\n    from typing_extensions import NotRequired",
    );
}

/** What the generator would make a second class, or a word of a newer Python, of. */
function withoutSpecials(name: string, value: unknown): unknown {
  return name === "deprecated" || (name === "additionalProperties" && value === false) ? undefined : value;
}

function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { cwd: work, stdio: ["ignore", "ignore", "inherit"] });
}
