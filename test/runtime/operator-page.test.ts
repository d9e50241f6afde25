// The operator's page of each role, as its real entry starts it: tables where there is data, numbers everywhere.
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { freePort } from "../../runtime/process/free-port.ts";
import { type ServiceProcess, spawnEntry } from "../support/service.ts";
import { waitFor } from "../support/wait-for.ts";

const TABLES_OF_DATA = [
  "Paused",
  "Needs somebody",
  "Providers",
  "Database",
  "Ledger",
  "Failed jobs",
  "Open orders",
  "Open tickets",
];

type Started = { readonly process: ServiceProcess; readonly opsUrl: string };

let folder: string;
const running: ServiceProcess[] = [];
let whole: Started;

/** The entry with a free port for the operator, once it says that it is ready. */
async function start(entry: string, env: Record<string, string>): Promise<Started> {
  const port = await freePort();
  const opsUrl = `http://127.0.0.1:${port}`;
  const process = spawnEntry(entry, {
    ATELIER_DATA_DIR: join(folder, entry.replace("/", "-")),
    ATELIER_OPS_PORT: String(port),
    ...env,
  });
  running.push(process);
  await waitFor(
    `${entry} to be ready`,
    async () => {
      if (process.child.exitCode !== null) throw new Error(process.stdout() + process.stderr());
      return (await fetch(`${opsUrl}/readyz`).catch(() => undefined))?.ok ?? false;
    },
    60_000,
  );
  return { process, opsUrl };
}

const withData = () => ({
  MONGODB_URI: inject("mongodUri"),
  ATELIER_MONGO_DATABASE: `test_${randomUUID()}`,
  ATELIER_DEMO_PRODUCTS: "10",
});
/** Of the core that the whole service runs. */
const withCore = () => ({
  ATELIER_CORE_ADDRESS: /gRPC\s+(\S+)/.exec(whole.process.stdout())?.[1] ?? "",
  // The same data folder has the secret that both sign with.
  ATELIER_DATA_DIR: join(folder, "scripts-start.ts"),
});

async function pageOf({ opsUrl }: Started) {
  const html = await (await fetch(opsUrl)).text();
  const titles = (part: string, heading: string) =>
    [...html.matchAll(new RegExp(`<section class="${part} ?[^"]*">\\s*<${heading}>([^<]*)<`, "g"))].map(
      ([, title]) => title,
    );
  return { html, tables: titles("panel", "h2"), tiles: titles("tile", "h3") };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "atelier-operator-page-"));
  whole = await start("scripts/start.ts", withData());
});
afterAll(async () => {
  await Promise.all(running.map((process) => process.stop()));
  rmSync(folder, { recursive: true, force: true });
});

test("the page of the whole service in one process shows every table of its data, each of them read", async () => {
  const page = await pageOf(whole);
  expect(page.tables).toEqual(TABLES_OF_DATA);
  expect(page.html).not.toContain("This could not be read now.");
  expect(page.tiles).toContain("Answering over HTTP");
});

test.each([
  ["core/main.ts", "Jobs waiting"],
  ["core/worker.ts", "Waiting in the queue"],
])("the page of %s on its own shows every table of its data, each of them read", async (entry, tile) => {
  const page = await pageOf(await start(entry, withData()));
  expect(page.tables).toEqual(TABLES_OF_DATA);
  expect(page.html).not.toContain("This could not be read now.");
  expect(page.tiles).toContain(tile);
});

test.each(["gateway/main.ts", "mcp/main.ts"])(
  "the page of %s on its own shows its numbers and no table, because its data are core's",
  async (entry) => {
    const page = await pageOf(await start(entry, withCore()));
    expect(page.tables).toEqual([]);
    expect(page.tiles).toContain("Answering over HTTP");
  },
);
