// Generates the committed files: the settings page, the example environment, the reference pages and the protos that repeat others.
// `--check` fails when they are stale. scripts/setup.js generates the files that are not committed.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { CONFIG_KEYS } from "../runtime/config/config-keys.ts";
import { referencePages } from "./references.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const PROTOS = "proto/atelier/v1/";
/** The highest field number of the messages in asked.proto at their creation. */
const LAST_OWN_FIELD = 9;
const isCheck = process.argv.includes("--check");
const MADE_PROTOS = new Map([
  [`${PROTOS}asked.proto`, askedProto()],
  [`${PROTOS}atelier.proto`, everyProto()],
]);
// First, because reference pages contain the protos.
if (!isCheck) write(MADE_PROTOS);
const FILES: ReadonlyMap<string, string> = new Map([
  ...MADE_PROTOS,
  ["docs/operations/configuration.md", configurationPage()],
  ["deploy/.env.example", envExample()],
  ...referencePages(),
]);

if (isCheck) {
  const stale = [...FILES].filter(([path, text]) => readFileSync(`${ROOT}${path}`, "utf8") !== text);
  for (const [path] of stale) console.error(`${path} is stale: run npm run gen`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else write(FILES);

function write(files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) writeFileSync(`${ROOT}${path}`, text);
}

function configurationPage(): string {
  const rows = Object.values(CONFIG_KEYS).map(
    ({ env, schema, doc }) =>
      `- \`${env}\`${defaultOf(schema) === "" ? "" : ` (${defaultOf(schema)})`}: ${doc}`,
  );
  return `# Configuration

Every setting is an environment variable, with its default in parentheses. An empty one counts as not set. Each may be in a file instead, which
the same name with \`_FILE\` appended names: \`ATELIER_SECRET_FILE=/run/secrets/atelier\`. A port of 0 picks a free one. A setting that cannot be
used stops the start. This page is generated.

${rows.join("\n")}
`;
}

/** Every setting as a commented line to copy. */
function envExample(): string {
  const settings = Object.values(CONFIG_KEYS).map(({ env, schema, doc }) => {
    const meaning = wrap(doc.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1"), 118).map((line) => `# ${line}`);
    return [...meaning, `#${env}=${defaultOf(schema).replaceAll("`", "")}`].join("\n");
  });
  const head = `# Settings of all roles, made from runtime/config/config-keys.ts by npm run gen: copy it to deploy/.env and take the # away before what you set.
# Secrets are better given as files: the same name with _FILE behind it. What production needs: docs/operations/production.md.`;
  return `${[head, ...settings].join("\n\n")}\n`;
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

/** The default as it is written in the environment. */
function defaultOf(schema: z.ZodType): string {
  const { default: value } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return value === undefined || value === "" ? "" : `\`${value as string | number}\``;
}

/** A later field of GenerateRequest is in all messages that repeat a request, under its number there. */
function askedProto(): string {
  const jobs = readFileSync(`${ROOT}${PROTOS}jobs.proto`, "utf8");
  const [, fields = ""] = /^message GenerateRequest \{\n(.*?)^\}/ms.exec(jobs) ?? [];
  const later = [...fields.matchAll(/(?: *\/\/.*\n)* *\w.* = (\d+);\n/g)]
    .filter(([, number]) => Number(number) > LAST_OWN_FIELD)
    .map(([text]) => text)
    .join("");
  return protoFile(
    "What is asked of a model, in the messages that repeat it. The fields from 10 on are those of GenerateRequest.",
    `
message WorkflowStepRequest {
  // Its name within the workflow.
  string id = 1;
  string modality = 2;
  string model_slug = 3;
  string prompt = 4;
  // A JSON object, checked against the model's params schema. Empty means {}. A param that takes a file may say \`step:ID\` or \`step:ID/N\`:
  // the first output, or the one at N from 0, of another step.
  string params_json = 5;
  map<string, string> metadata = 6;
  // Steps that must complete before, in addition to those whose outputs it uses.
  repeated string after = 7;
${later}}

message ConfirmationJob {
  string modality = 1;
  string model_slug = 2;
  string prompt = 3;
  // A JSON object, with the model's defaults.
  string params_json = 4;
  optional string callback_url = 5;
${later}}
`,
  );
}

function everyProto(): string {
  const names = readdirSync(`${ROOT}${PROTOS}`).filter((name) => name !== "atelier.proto");
  const imports = names.map((name) => `import public "atelier/v1/${name}";\n`);
  return protoFile("Everything of atelier.v1 in one import.", `\n${imports.join("")}`);
}

function protoFile(about: string, body: string): string {
  return `// ${about} Made by npm run gen.
syntax = "proto3";

package atelier.v1;

option go_package = "atelier/gen/atelier/v1;atelierv1";
${body}`;
}
