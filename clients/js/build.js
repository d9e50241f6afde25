// Builds what programs import, which have neither a compiler nor a Node that runs TypeScript: the types in src/openapi.ts from the API's
// OpenAPI document, then dist/. `npm install` runs this as `prepare`; if the service's own TypeScript is not installed, npm fetches it.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const DOCUMENT = join(HERE, "../../test/gateway/__snapshots__/openapi.json");
const DIST = join(HERE, "dist");

writeFileSync(join(HERE, "src/openapi.ts"), typesOf(JSON.parse(readFileSync(DOCUMENT, "utf8"))));
rmSync(DIST, { recursive: true, force: true });
compile();
for (const name of readdirSync(DIST).filter((file) => file.endsWith(".d.ts"))) {
  // Here the compiler only does this for the programs.
  const text = readFileSync(join(DIST, name), "utf8");
  writeFileSync(join(DIST, name), text.replaceAll(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
}

/** Each named schema, and the filters of lists. */
function typesOf({ paths, components }) {
  // A schema that only wraps another one is of no use to programs: the client unwraps it.
  const named = Object.entries(components.schemas).filter(([name]) => !/(?:Answer|List)$/.test(name));
  const lists = Object.values(paths)
    .map(({ get }) => get)
    .filter((get) => get?.operationId.startsWith("list") && get.parameters);
  const filters = lists.map(({ operationId, parameters }) => {
    const query = parameters.filter((one) => one.in === "query");
    const fields = query.map((one) => field(one.name, one.required, { ...one.schema, ...wordsOf(one) }));
    return `${operationId}: {\n${fields.join("")}};\n`;
  });
  return [
    "// Made of the OpenAPI document by build.js. Not to be edited.\n",
    ...named.map(([name, schema]) => `${comment(schema)}export type ${name} = ${typeOf(schema)};\n`),
    `export interface Filters {\n${filters.join("")}}\n`,
  ].join("\n");
}

function typeOf(schema) {
  const { $ref, enum: values, anyOf, oneOf, type, items, properties, additionalProperties } = schema;
  if ($ref) return $ref.split("/").at(-1);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
  const either = anyOf ?? oneOf;
  if (either) return either.map(typeOf).join(" | ");
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one })).join(" | ");
  if (type === "array") return `(${typeOf(items)})[]`;
  if (properties) return objectOf(schema);
  if (type === "object") return `{ [key: string]: ${typeOf(additionalProperties || {})} }`;
  return (
    { integer: "number", number: "number", string: "string", boolean: "boolean", null: "null" }[type] ??
    "unknown"
  );
}

function objectOf({ properties, required = [] }) {
  const fields = Object.entries(properties).map(([name, schema]) =>
    field(name, required.includes(name), schema),
  );
  return `{\n${fields.join("")}}`;
}

function field(name, isRequired, schema) {
  return `${comment(schema)}${JSON.stringify(name)}${isRequired ? "" : "?"}: ${typeOf(schema)};\n`;
}

function wordsOf({ description, deprecated }) {
  return { ...(description && { description }), ...(deprecated && { deprecated }) };
}

/** What an editor shows about it. */
function comment(schema) {
  const { description = "", deprecated } = schema;
  const words = `${description.replaceAll("*/", "*\\/")}${deprecated ? " @deprecated" : ""}`.trim();
  return words ? `/** ${words} */\n` : "";
}

function compile() {
  const options = ["-p", HERE];
  const run = (command, args) =>
    execFileSync(command, args, { cwd: HERE, stdio: ["ignore", "inherit", "inherit"] });
  try {
    const typescript = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));
    if (existsSync(join(typescript, "bin/tsc")))
      return run(process.execPath, [join(typescript, "bin/tsc"), ...options]);
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
  }
  const { devDependencies } = JSON.parse(readFileSync(join(HERE, "package.json"), "utf8"));
  return run("npx", ["--yes", "--package", `typescript@${devDependencies.typescript}`, "tsc", ...options]);
}
