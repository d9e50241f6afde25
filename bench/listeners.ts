// 1,000 task listeners on separate connections: what mcp and core need for one, and the latency of other accounts' tool calls meanwhile.
import { acceptJobs } from "../core/studio/jobs/accept.ts";
import { startChild } from "./support/child.ts";
import { driveHttp, requestText, startLoader } from "./support/contest.ts";
import { openPlace, type Place } from "./support/place.ts";
import { ms, printTable } from "./support/stats.ts";
import type { AskOrder, AskResult } from "./support/stream-asker-process.ts";
import { benchRequest, createCustomer, printMachine } from "./support/world.ts";

const LISTENERS = 1_000;
/** The limit of listeners for one job. */
const OF_A_JOB = 20;
const READERS = 20;
const READS_PER_SECOND = 200;
const MEASURE_MS = 5_000;
const ROLES = ["mcp", "core"] as const;

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
};

export async function run(): Promise<void> {
  printMachine();
  // All of them come from one address.
  const place = await openPlace(true, {
    ATELIER_RATE_API: "1000000",
    ATELIER_OPEN_PER_ADDRESS: "10000",
    ATELIER_MAX_CONNECTIONS_PER_ADDRESS: "10000",
  });
  try {
    await measure(place);
  } finally {
    await place.close();
  }
}

async function measure(place: Place): Promise<void> {
  const { app, mcpPort: port } = place;
  const { child: asker } = await startChild<string, AskOrder, AskResult>("stream-asker-process.ts", {});
  const loader = await startLoader();
  const requests = await Promise.all(Array.from({ length: READERS }, () => toolCall(app)));
  const calls = () =>
    driveHttp(loader, {
      port,
      connections: READERS,
      arrivals: [{ perSecond: READS_PER_SECOND, forMs: MEASURE_MS }],
      requests,
      status: 200,
    });
  const asked = await Promise.all(Array.from({ length: LISTENERS / OF_A_JOB }, () => createListener(app)));
  await calls();
  const rows = [{ title: "quiet", ...(await calls()) }];
  const before = await place.use();
  const { statuses } = await asker.ask({ port, asked, count: LISTENERS, pace: { atOnce: 50 } });
  rows.push({ title: `while ${LISTENERS} listen`, ...(await calls()) });
  const after = await place.use();
  await loader.stop();
  await asker.stop();
  const quiet = rows[0]?.p95Ms ?? Number.NaN;
  console.log(`answers to ${LISTENERS} listeners, by status: ${JSON.stringify(statuses)}\n`);
  printTable(
    ["tool calls of other accounts", "p50 ms", "p95 ms", "against quiet"],
    rows.map(({ title, p50Ms, p95Ms }) => [title, ms(p50Ms), ms(p95Ms), `${(p95Ms / quiet).toFixed(2)}x`]),
  );
  for (const [i, role] of ROLES.entries()) {
    // The gateway, which is the first, has no listeners.
    const grown = (after[i + 1]?.megabytes ?? Number.NaN) - (before[i + 1]?.megabytes ?? Number.NaN);
    console.log(`\nmemory of ${role}: ${((grown * 1024) / LISTENERS).toFixed(0)} KiB a listener`);
  }
}

async function toolCall(app: Place["app"]): Promise<string> {
  const { key } = await createCustomer(app);
  const params = { name: "get_credits", arguments: {} };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  return requestText(
    "/api/mcp",
    { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body,
  );
}

/** An account with a waiting job, because there is no worker, and its listeners' request. */
async function createListener(app: Place["app"]): Promise<AskOrder["asked"][number]> {
  const { key, caller } = await createCustomer(app);
  const [accepted] = await acceptJobs(app, [benchRequest(caller)]);
  if (accepted?.status !== "fulfilled") throw new Error("the job was not accepted", { cause: accepted });
  const method = "subscriptions/listen";
  const params = { notifications: { taskIds: [accepted.value.job._id] }, _meta: META };
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return { path: "/api/mcp", key, headers, body };
}
