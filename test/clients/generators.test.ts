// The clients that oapi-codegen, openapi-typescript and openapi-python-client generate from the OpenAPI document with their defaults
// compile. The generators are fetched once into the project's cache, which takes some minutes: npm test -- test/clients/generators.test.ts
// --mode thorough
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync, cpSync, readFileSync, symlinkSync } from "node:fs";
import { join, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, inject, test, beforeAll } from "vitest";
import { CACHE_DIR } from "../../runtime/mongod/binary-cache.ts";
import { useFolder } from "../support/shared.ts";

const DOCUMENT = fileURLToPath(new URL("../gateway/__snapshots__/openapi.json", import.meta.url));
const BOUND_MS = 900_000;

const findProgram = (...commands: string[]) =>
  commands.find((command) => spawnSync(command, ["--version"]).error === undefined);
const go = findProgram("go", "/usr/local/go/bin/go");
const python = findProgram("python3");

const GO_GENERATOR = "v2.8.2";
const GO_FOLDER = join(CACHE_DIR, `oapi-codegen-${GO_GENERATOR}`);
const GO_PROGRAM = join(GO_FOLDER, "oapi-codegen");
const TYPES = ["openapi-typescript@7.13.0", "typescript@5.9.3"];
const TYPES_FOLDER = join(CACHE_DIR, "openapi-typescript-7.13.0");
const PYTHON_PACKAGES = ["openapi-python-client==0.29.1", "mypy==2.4.1"];
const PYTHON_FOLDER = join(CACHE_DIR, "openapi-python-client-0.29.1");
const PYTHON_BIN = join(PYTHON_FOLDER, "bin");

const builds = inject("isThorough");
const canRun = {
  go: go !== undefined && (builds || existsSync(GO_PROGRAM)),
  types: builds || existsSync(join(TYPES_FOLDER, "node_modules")),
  python: python !== undefined && (builds || existsSync(join(PYTHON_BIN, "mypy"))),
};

const work = useFolder();

/** Fails with the program's output. */
function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
    maxBuffer: 64 * 2 ** 20,
  });
  expect([command, status, status === 0 ? "" : `${stdout}${stderr}`.slice(0, 2_000)]).toEqual([
    command,
    0,
    "",
  ]);
  return stdout;
}

function folderOf(name: string): string {
  const folder = work(name);
  mkdirSync(folder);
  return folder;
}

test.runIf(canRun.go)(
  "oapi-codegen with its defaults generates Go that compiles (needs Go, and --mode thorough once)",
  () => {
    if (!existsSync(GO_PROGRAM))
      execFileSync(
        go ?? "",
        ["install", `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${GO_GENERATOR}`],
        { env: { ...process.env, GOBIN: GO_FOLDER }, stdio: "ignore" },
      );
    const folder = folderOf("go");
    writeFileSync(join(folder, "go.mod"), "module atelier.example/generated\n\ngo 1.24\n");
    writeFileSync(join(folder, "client.go"), run(GO_PROGRAM, ["-package", "generated", DOCUMENT], folder));
    run(go ?? "", ["mod", "tidy"], folder);
    expect(run(go ?? "", ["build", "./..."], folder)).toBe("");
  },
  BOUND_MS,
);

test.runIf(canRun.types)(
  "openapi-typescript with its defaults generates types that compile (needs --mode thorough once)",
  () => {
    if (!existsSync(join(TYPES_FOLDER, "node_modules"))) {
      mkdirSync(TYPES_FOLDER, { recursive: true });
      execFileSync("npm", ["install", "--prefix", TYPES_FOLDER, "--no-audit", "--no-fund", ...TYPES], {
        stdio: "ignore",
      });
    }
    const folder = folderOf("typescript");
    const bin = join(TYPES_FOLDER, "node_modules/.bin");
    run(join(bin, "openapi-typescript"), [DOCUMENT, "-o", "api.ts"], folder);
    const program = `
      import type { components, webhooks } from "./api.ts";
      const state: components["schemas"]["Job"]["state"] = "a state of a later release";
      const request: components["schemas"]["GenerateRequest"] =
        { modality: "image", model_slug: "x", prompt: "y", callback_url: null };
      export const sent: [string, object, keyof webhooks] = [state, request, "jobEnded"];
    `;
    writeFileSync(join(folder, "program.ts"), program);
    const options = ["--noEmit", "--strict", "--allowImportingTsExtensions", "--module", "nodenext"];
    expect(run(join(bin, "tsc"), [...options, "program.ts"], folder)).toBe("");
  },
  BOUND_MS,
);

test.runIf(canRun.python)(
  "openapi-python-client with its defaults generates a package whose modules load and whose types check (needs Python, and --mode thorough once)",
  () => {
    if (!existsSync(join(PYTHON_BIN, "mypy"))) {
      execFileSync(python ?? "", ["-m", "venv", PYTHON_FOLDER], { stdio: "ignore" });
      execFileSync(join(PYTHON_BIN, "pip"), ["install", "--quiet", ...PYTHON_PACKAGES], { stdio: "ignore" });
    }
    const folder = folderOf("python");
    const made = join(folder, "made");
    run(
      join(PYTHON_BIN, "openapi-python-client"),
      ["generate", "--path", DOCUMENT, "--output-path", made],
      folder,
    );
    const load = [
      "import atelier_client, importlib, pkgutil",
      "for module in pkgutil.walk_packages(atelier_client.__path__, 'atelier_client.'):",
      "    importlib.import_module(module.name)",
    ].join("\n");
    run(join(PYTHON_BIN, "python"), ["-c", load], made);
    expect(run(join(PYTHON_BIN, "mypy"), ["atelier_client"], made)).toContain("Success");
  },
  BOUND_MS,
);

// The JavaScript client builds at its installation: its types come from the OpenAPI document, and dist/ has no imports outside of it.
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DOCUMENT_PATH = "test/gateway/__snapshots__/openapi.json";

const copy = useFolder();
beforeAll(() => {
  for (const path of [
    "tsconfig.json",
    "clients/js/package.json",
    "clients/js/tsconfig.json",
    "clients/js/build.js",
  ])
    copyIn(path);
  cpSync(join(ROOT, "clients/js/src"), copy("clients/js/src"), {
    recursive: true,
    filter: (path) => !path.endsWith("openapi.ts"),
  });
  copyIn(DOCUMENT_PATH);
  symlinkSync(join(ROOT, "node_modules"), copy("node_modules"));
});

function copyIn(path: string): void {
  mkdirSync(dirname(copy(path)), { recursive: true });
  cpSync(join(ROOT, path), copy(path));
}

test("[CLIENT-05] a program is type-checked against the OpenAPI document of the installed client", () => {
  const document = readFileSync(copy(DOCUMENT_PATH), "utf8");
  expect(document).toContain('"queue_position"');
  writeFileSync(copy(DOCUMENT_PATH), document.replaceAll('"queue_position"', '"place"'));
  const project = copy("project");
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{"type":"module"}');
  // npm runs `prepare` for a linked folder.
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "../clients/js"], {
    cwd: project,
    stdio: "ignore",
  });
  const program = `
    import { Atelier, type Job, type JobFilter, type Product } from "@atelier/client";
    const atelier = new Atelier({ baseUrl: "https://atelier.example", apiKey: "key" });
    export const newest = async (filter: JobFilter): Promise<Job | undefined> => {
      for await (const job of atelier.jobs(filter)) return job;
      return undefined;
    };
    export const place = (job: Job): number | null | undefined => job.place;
    export const pictures: JobFilter = { modality: "image", metadata: { order: "4711" } };
    export const scope: Product["slug"] = "icons";
    // @ts-expect-error: no such modality
    export const wrong: JobFilter = { modality: "picture" };
    // @ts-expect-error: the document does not know it
    export const unknown = (job: Job) => job.queue_position;
  `;
  writeFileSync(join(project, "program.ts"), program);
  const options = ["--ignoreConfig", "--noEmit", "--strict", "--module", "nodenext", "--target", "es2022"];
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, ...options, "program.ts"], { cwd: project });
  expect(stdout.toString()).toBe("");
});
