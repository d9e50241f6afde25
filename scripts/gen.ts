// Makes the generated files that are committed, both of the settings: their page and the example of an environment. `--check` fails when they are
// stale. What is generated and not committed, scripts/setup.js makes.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { CONFIG_KEYS } from "../runtime/config/config-keys.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FILES: ReadonlyMap<string, string> = new Map([
  ["docs/operations/configuration.md", configurationPage()],
  ["deploy/.env.example", envExample()],
]);

if (process.argv.includes("--check")) {
  const stale = [...FILES].filter(([path, text]) => readFileSync(`${ROOT}${path}`, "utf8") !== text);
  for (const [path] of stale) console.error(`${path} is stale: run npm run gen`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else for (const [path, text] of FILES) writeFileSync(`${ROOT}${path}`, text);

function configurationPage(): string {
  const rows = Object.values(CONFIG_KEYS).map(
    ({ env, schema, doc }) => `| \`${env}\` | ${defaultOf(schema)} | ${doc.replaceAll("|", "\\|")} |`,
  );
  return `# Configuration

Every setting is an environment variable; an empty one counts as not set. One that cannot be used stops the start with a
line that names it. Each may come from a file instead, named by the same variable with \`_FILE\` behind it, as secrets of containers and of
systemd are given: \`ATELIER_SECRET_FILE=/run/secrets/atelier\`. A line break at its end is no part of it. This page is made from \`runtime/config/config-keys.ts\` by \`npm run gen\`.

| variable | default | meaning |
|---|---|---|
${rows.join("\n")}
`;
}

/** Every setting as a line that is commented out, to be copied and filled in. */
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

/** The default as one would write it in the environment. */
function defaultOf(schema: z.ZodType): string {
  const { default: value } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return value === undefined || value === "" ? "" : `\`${value as string | number}\``;
}
