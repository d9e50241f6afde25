// npm run inspect: the protocol's inspector, in strict mode, at the tool endpoints of the service that runs here. It is fetched for
// the occasion: it brings a hundred packages that nothing else needs.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { loadConfig } from "../runtime/config.ts";

const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";

const accessSchema = z.object({
  base_url: z.url(),
  generation_base_url: z.url(),
  generation_key: z.string(),
  member_key: z.string(),
});

const path = join(loadConfig().dataDir, "demo.json");
const access = accessSchema.parse(JSON.parse(readFileSync(path, "utf8")));
const endpoints = [
  { url: `${access.base_url}/mcp`, key: undefined },
  { url: `${access.generation_base_url}/api/mcp`, key: access.generation_key },
  { url: `${access.base_url}/api/member/mcp`, key: access.member_key },
];
const inspections = [
  ["--method", "tools/list", "--strict"],
  ["--method", "tools/call", "--tool-name", "list_models"],
];

let failures = 0;
for (const { url, key } of endpoints) {
  for (const inspection of inspections) {
    const header = key === undefined ? [] : ["--header", `Authorization: Bearer ${key}`];
    const args = ["--yes", INSPECTOR, "--cli", url, "--transport", "http", ...header, ...inspection];
    const { status, stdout, stderr } = spawnSync("npx", args, { encoding: "utf8" });
    const answered = status === 0 && (stdout.includes('"tools"') || stdout.includes('"models"'));
    console.log(`${answered ? "ok    " : "FAILED"} ${url} ${inspection.join(" ")}`);
    // Warnings are about dialects of some models' interfaces, and are no failure even when it is strict.
    if (!answered) console.log(stderr.trimEnd().replace(/^/gm, "       "));
    failures += answered ? 0 : 1;
  }
}
process.exitCode = failures === 0 ? 0 : 1;
