// `npm run try-clients -- [WORD…]`: runs the libraries of assistants, unmodified, against all three tool endpoints of a separate service:
// tools, and resources, completion and prompts where a library supports them. Prints a table with missing clients. Words select clients by
// name.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "./testbed/command.ts";
import { startOwn } from "./testbed/service.ts";
import { CLIENTS, type Client } from "./try-clients/clients.ts";
import type { Target } from "./try-clients/environment.ts";
import { type Row, toTable } from "./try-clients/report.ts";

const words = process.argv.slice(2).map((word) => word.toLowerCase());

async function tryOne({ name, prepare }: Client, folder: string, targets: readonly Target[]): Promise<Row> {
  const prepared = await prepare(folder).catch(
    (error: unknown) => `could not be fetched: ${reasonOf(error)}`,
  );
  if (typeof prepared === "string") return { client: name, outcome: { absent: prepared } };
  const outcome = [];
  for (const target of targets) {
    try {
      outcome.push(await prepared(target));
    } catch (error) {
      console.error(`${name} at ${target.url}:\n${String(error instanceof Error ? error.stack : error)}`);
      outcome.push({ failed: reasonOf(error) });
    }
  }
  return { client: name, outcome };
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}

await runCommand("try-clients", async (atEnd) => {
  const { access } = await startOwn(atEnd, { ATELIER_RATE_LIMITS: "off" });
  const folder = mkdtempSync(join(tmpdir(), "atelier-clients-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const targets: Target[] = [
    { url: `${access.base_url}/mcp`, key: "", hasPrompts: false },
    { url: `${access.generation_base_url}/api/mcp`, key: access.generation_key, hasPrompts: true },
    { url: `${access.base_url}/api/member/mcp`, key: access.member_key, hasPrompts: true },
  ];
  const rows: Row[] = [];
  for (const client of CLIENTS) {
    const isAsked = words.length === 0 || words.some((word) => client.name.toLowerCase().includes(word));
    if (isAsked) rows.push(await tryOne(client, folder, targets));
  }
  console.log(toTable(["/mcp", "/api/mcp", "/api/member/mcp"], rows));
  const failed = rows.filter(
    ({ outcome }) => Array.isArray(outcome) && outcome.some((one) => "failed" in one),
  );
  return failed.length === 0 && rows.length > 0 ? 0 : 1;
});
