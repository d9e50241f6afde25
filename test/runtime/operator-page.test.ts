// The operator's page of each role, started by its real entry: tables for roles with data, numbers for all.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { freePort } from "../../runtime/process/free-port.ts";
import { type ServiceProcess, startEntry } from "../../scripts/testbed/processes.ts";
import { useFolder } from "../support/shared.ts";
import { waitFor } from "../support/wait-for.ts";

/** The page of a service that has just started: tables with rows, and a sentence for each of the others. */
const TABLES = ["Providers", "Ledger", "Public log", "Database"];
const EMPTY_TABLES = [
  "Nothing needs attention.",
  "Nothing is paused.",
  "No ticket waits for support.",
  "No order waits to be paid.",
  "None of the newest thousand jobs failed.",
  "No witness is set.",
];

type Started = { readonly process: ServiceProcess; readonly opsUrl: string };

const folder = useFolder();
const running: ServiceProcess[] = [];
let whole: Started;

/** Starts the entry with a free operations port. Resolves when it reports ready. */
async function start(entry: string, env: Record<string, string>): Promise<Started> {
  const port = await freePort();
  const opsUrl = `http://127.0.0.1:${port}`;
  const process = startEntry(entry, {
    ATELIER_DATA_DIR: folder(entry.replace("/", "-")),
    ATELIER_OPS_PORT: String(port),
    ...env,
  });
  running.push(process);
  await process.until(`${entry} to be ready`, async () => (await fetch(`${opsUrl}/readyz`)).ok, 60_000);
  return { process, opsUrl };
}

/** One database for all roles with data: core and worker alone seed nothing. */
const WITH_DATA = {
  MONGODB_URI: inject("mongodUri"),
  ATELIER_MONGO_DATABASE: `test_${randomUUID()}`,
  ATELIER_DEMO_PRODUCTS: "10",
};
/** Of the core in the whole service. */
const withCore = () => ({
  ATELIER_CORE_ADDRESS: /gRPC\s+(\S+)/.exec(whole.process.stdout())?.[1] ?? "",
  // The same data folder has the secret that both sign with.
  ATELIER_DATA_DIR: folder("scripts-start.ts"),
});

async function pageOf({ opsUrl }: Started) {
  const html = await (await fetch(opsUrl)).text();
  const headings = [...html.matchAll(/<section class="panel">\s*<h2>([^<]*)</g)].map(([, title]) => title);
  return { html, headings, empty: EMPTY_TABLES.filter((sentence) => html.includes(sentence)) };
}

/**
 * Returns a page with every table of `core/entry/operator-panels.ts`, each of them read. A page waits for them only for a moment, which is
 * too short for the first reads of a process on a busy machine; those after it are quicker.
 */
async function pageWithAllTables(started: Started): Promise<string> {
  let html = "";
  const read = async () => {
    const page = await pageOf(started);
    html = page.html;
    return [page.headings, page.empty, html.includes("This could not be read now.")];
  };
  await expect.poll(read).toEqual([TABLES, EMPTY_TABLES, false]);
  return html;
}

beforeAll(async () => {
  whole = await start("scripts/start.ts", WITH_DATA);
  await waitFor("a checkpoint", async () => (await pageOf(whole)).headings.includes("Public log"), 60_000);
});
afterAll(() => Promise.all(running.map((process) => process.stop())));

test("the operator's page of the whole service shows all its tables, and each role's numbers", async () => {
  const html = await pageWithAllTables(whole);
  for (const title of ["Accepting a job", "Waiting in the queue", "Answering over HTTP"])
    expect(html).toContain(title);
});

test.each([
  ["core/entry/main.ts", "Accepting a job"],
  ["core/entry/worker.ts", "Waiting in the queue"],
])("the operator's page of %s alone shows all its tables and numbers", async (entry, title) => {
  expect(await pageWithAllTables(await start(entry, WITH_DATA))).toContain(title);
});

test.each(["gateway/main.ts", "mcp/main.ts"])(
  "the operator's page of %s alone shows its numbers, and no table because its data are core's",
  async (entry) => {
    const page = await pageOf(await start(entry, withCore()));
    expect([page.headings, page.empty]).toEqual([[], []]);
    expect(page.html).toContain("Answering over HTTP");
  },
);
