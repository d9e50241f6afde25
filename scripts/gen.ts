// Makes the generated files that are committed: the TypeScript types and the descriptors of the protos, the page of settings, and
// the example of an environment.
// `--check` fails when they are stale.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { CONFIG_KEYS } from "../runtime/config/config-keys.ts";
import { findStale } from "./clients/shapes.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PROTO_TYPES = "proto/types";
const DESCRIPTORS = "proto/descriptors.binpb";
const CLIENT = "clients/js/dist";
const CONFIGURATION = "docs/operations/configuration.md";
const ENV_EXAMPLE = "deploy/.env.example";

function generateProtoTypes(outDir: string): void {
  // The same options as proto/load.ts.
  execFileSync(
    join(ROOT, "node_modules/.bin/proto-loader-gen-types"),
    [
      "--keepCase",
      "--longs=Number",
      "--enums=String",
      "--defaults",
      "--includeComments",
      "--grpcLib=@grpc/grpc-js",
      "--importFileExtension=.ts",
      "--inputTemplate=%sInput",
      "--outputTemplate=%s",
      "-I",
      ".",
      "-O",
      outDir,
      "atelier/v1/atelier.proto",
    ],
    // Run inside proto/, so that no path of this machine gets into the comments.
    { cwd: join(ROOT, "proto"), stdio: ["ignore", "ignore", "inherit"] },
  );
}

/** Our protos and those of health and reflection, as one FileDescriptorSet with comments; made by a real compiler of protos. */
function generateDescriptors(outFile: string): void {
  const inputs = mkdtempSync(join(tmpdir(), "atelier-protos-"));
  try {
    for (const folder of ["atelier", "google"])
      cpSync(join(ROOT, "proto", folder), join(inputs, folder), { recursive: true });
    const modules = join(ROOT, "node_modules");
    cpSync(join(modules, "grpc-health-check/proto"), join(inputs, "grpc"), { recursive: true });
    cpSync(join(modules, "@grpc/reflection/build/proto/grpc"), join(inputs, "grpc"), { recursive: true });
    execFileSync(join(modules, ".bin/buf"), ["build", ".", "--as-file-descriptor-set", "-o", outFile], {
      cwd: inputs,
      stdio: ["ignore", "ignore", "inherit"],
    });
  } finally {
    rmSync(inputs, { recursive: true, force: true });
  }
}

/** The client as programs import it, which have neither our compiler nor a Node that runs TypeScript. */
function compileClient(outDir: string): void {
  execFileSync(
    process.execPath,
    [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", "clients/js", "--outDir", outDir],
    { cwd: ROOT, stdio: "inherit" },
  );
  // Which tsc does in the programs alone.
  for (const name of listFiles(outDir).filter((file) => file.endsWith(".d.ts"))) {
    const text = readFileSync(join(outDir, name), "utf8");
    writeFileSync(join(outDir, name), text.replaceAll(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
  }
}

function generateConfiguration(outFile: string): void {
  const rows = Object.values(CONFIG_KEYS).map(
    ({ env, schema, doc }) => `| \`${env}\` | ${defaultOf(schema)} | ${doc.replaceAll("|", "\\|")} |`,
  );
  const page = `# Configuration

Every setting is an environment variable; an empty one counts as not set. One that cannot be used stops the start with a
line that names it. Each may come from a file instead, named by the same variable with \`_FILE\` behind it, as secrets of containers and of
systemd are given: \`ATELIER_SECRET_FILE=/run/secrets/atelier\`. A line break at its end is no part of it. This page is made from \`runtime/config/config-keys.ts\` by \`npm run gen\`.

| variable | default | meaning |
|---|---|---|
${rows.join("\n")}
`;
  mkdirSync(dirname(outFile), { recursive: true });
  writeFileSync(outFile, page);
}

/** Every setting as a line that is commented out, to be copied and filled in. */
function generateEnvExample(outFile: string): void {
  const settings = Object.values(CONFIG_KEYS).map(({ env, schema, doc }) => {
    const meaning = wrap(doc.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1"), 118).map((line) => `# ${line}`);
    return [...meaning, `#${env}=${defaultOf(schema).replaceAll("`", "")}`].join("\n");
  });
  const head = `# Settings of all roles, made from runtime/config/config-keys.ts by npm run gen: copy it to deploy/.env and take the # away before what you set.
# Secrets are better given as files: the same name with _FILE behind it. What production needs: docs/operations/run.md.`;
  mkdirSync(dirname(outFile), { recursive: true });
  writeFileSync(outFile, `${[head, ...settings].join("\n\n")}\n`);
}

function wrap(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line !== "" && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  return lines;
}

/** The default as one would write it in the environment. */
function defaultOf(schema: z.ZodType): string {
  const { default: value } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return value === undefined || value === "" ? "" : `\`${value as string | number}\``;
}

/** Paths of the files under two folders that differ. */
function differences(fresh: string, committed: string): string[] {
  const names = new Set([...listFiles(fresh), ...listFiles(committed)]);
  return [...names].filter(
    (name) => readOrNothing(join(fresh, name)) !== readOrNothing(join(committed, name)),
  );
}

function listFiles(dir: string): string[] {
  try {
    return readdirSync(dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
      .sort();
  } catch {
    return [];
  }
}

function readOrNothing(path: string): string | undefined {
  try {
    // Byte by byte, whatever is in it.
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

function fail(line: string): void {
  console.error(line);
  process.exitCode = 1;
}

const work = mkdtempSync(join(tmpdir(), "atelier-gen-"));
try {
  generateProtoTypes(join(work, PROTO_TYPES));
  generateDescriptors(join(work, DESCRIPTORS));
  generateConfiguration(join(work, CONFIGURATION));
  compileClient(join(work, CLIENT));
  generateEnvExample(join(work, ENV_EXAMPLE));
  if (process.argv.includes("--check")) {
    const stale = [PROTO_TYPES, CLIENT].flatMap((folder) =>
      differences(join(work, folder), join(ROOT, folder)).map((name) => `${folder}/${name}`),
    );
    for (const file of [DESCRIPTORS, CONFIGURATION, ENV_EXAMPLE])
      if (readOrNothing(join(work, file)) !== readOrNothing(join(ROOT, file))) stale.push(file);
    if (stale.length > 0) fail(`Stale generated files (run npm run gen): ${stale.join(", ")}`);
    const ofDocument = findStale(ROOT);
    if (ofDocument.length > 0)
      fail(`Stale or edited types of the clients (run npm run gen:clients): ${ofDocument.join(", ")}`);
  } else {
    for (const folder of [PROTO_TYPES, CLIENT]) rmSync(join(ROOT, folder), { recursive: true, force: true });
    cpSync(work, ROOT, { recursive: true });
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
