// One account asks for 1,000 event streams: how many it gets, and what another account's reading of its balance takes meanwhile. Then
// readers of files who stall: what they hold of the memory of core and gateway.
import { mkdtempSync, rmSync } from "node:fs";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createAccount } from "../core/accounts/create-account.ts";
import { createKey } from "../core/accounts/create-key.ts";
import type { App } from "../core/app.ts";
import { grantCredits } from "../core/credits/grant.ts";
import { acceptJobs } from "../core/jobs/accept.ts";
import { claimJobs } from "../core/jobs/claim.ts";
import { settleJobs } from "../core/jobs/settle.ts";
import { saveOutputs } from "../core/outputs/save.ts";
import { hashApiKey } from "../runtime/api-key.ts";
import { freePort } from "../runtime/free-port.ts";
import { requestText } from "./support/catalog-world.ts";
import { startChild } from "./support/child.ts";
import type { LoadOrder, LoadResult } from "./support/http-load-process.ts";
import { type Role, startRole } from "./support/role.ts";
import { ms, printTable, rate } from "./support/stats.ts";
import { benchRequest, openBenchApp, prepare, printMachine, startBenchMongod } from "./support/world.ts";

const DATABASE = "streams";
const STREAMS = 1_000;
const JOBS = 40;
const MEASURE_MS = 5_000;
const ASKED_AT_ONCE = 50;
const STALLED = 80;
const FILE_BYTES = 120 * 2 ** 20;
const STALLED_MS = 10_000;
/** By now they have been cut off. */
const CUT_MS = 45_000;
const SECRET = "only for measurements on this machine";

export async function run(): Promise<void> {
  printMachine();
  const folder = mkdtempSync(join(tmpdir(), "atelier-bench-streams-"));
  const mongod = await startBenchMongod();
  const { app, close } = await openBenchApp(mongod.uri, DATABASE);
  await prepare(app);
  const [port, grpcPort] = [await freePort(), await freePort()];
  const env = {
    MONGODB_URI: mongod.uri,
    ATELIER_MONGO_DATABASE: DATABASE,
    ATELIER_DATA_DIR: folder,
    ATELIER_SECRET: SECRET,
    ATELIER_GRPC_PORT: String(grpcPort),
    ATELIER_HTTP_PORT: String(port),
    ATELIER_CORE_ADDRESS: `127.0.0.1:${grpcPort}`,
    // Requests a minute are not what is measured; the readers who stall are to be let in.
    ATELIER_RATE_API: "1000000",
    ATELIER_DOWNLOADS_PER_ACCOUNT: String(STALLED),
  };
  const { role: core } = await startRole("core", env);
  const { role: gateway } = await startRole("gateway", env);
  try {
    await measureStreams(app, port);
    await measureStalled(app, port, { core, gateway });
  } finally {
    await gateway.stop();
    await core.stop();
    await close();
    await mongod.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureStreams(app: App, port: number): Promise<void> {
  const [greedy, other] = [await createHolder(app), await createHolder(app)];
  const jobs = await acceptJobs(
    app,
    Array.from({ length: JOBS }, () => benchRequest(greedy.caller)),
  );
  const ids = jobs.flatMap((job) => (job.status === "fulfilled" ? [job.value.job._id] : []));
  const { child: reader } = await startChild<string, LoadOrder, LoadResult>("http-load-process.ts", {});
  const requests = [requestText("/api/credits/balance", { authorization: `Bearer ${other.key}` })];
  const read = () => reader.ask({ port, connections: 1, forMs: MEASURE_MS, requests, status: 200 });
  await read();
  const quiet = await read();
  const asking = read();
  const streams: Opened[] = [];
  for (let i = 0; i < STREAMS; i += ASKED_AT_ONCE) {
    const paths = Array.from(
      { length: ASKED_AT_ONCE },
      (_, n) => `/api/jobs/${ids[(i + n) % ids.length]}/events`,
    );
    streams.push(...(await Promise.all(paths.map((path) => open(port, path, greedy.key)))));
  }
  const during = await asking;
  const held = await read();
  await reader.stop();
  const count = (status: number) => streams.filter(({ response }) => response.statusCode === status).length;
  console.log(`One account asks for ${STREAMS} event streams of ${JOBS} jobs, ${ASKED_AT_ONCE} at a time`);
  console.log(`  let in: ${count(200)}, refused with 429: ${count(429)}\n`);
  for (const { sent } of streams) sent.destroy();
  const row = (title: string, { perSecond, p50Ms, p95Ms = Number.NaN }: LoadResult) => [
    title,
    rate(perSecond),
    ms(p50Ms),
    ms(p95Ms),
    `${(p95Ms / (quiet.p95Ms ?? Number.NaN)).toFixed(2)} x`,
  ];
  printTable(
    ["another account reads its balance", "reads/s", "p50 ms", "p95 ms", "p95 against quiet"],
    [row("quiet", quiet), row("while they are asked for", during), row("while those let in are open", held)],
  );
}

async function measureStalled(
  app: App,
  port: number,
  { core, gateway }: { core: Role; gateway: Role },
): Promise<void> {
  const holder = await createHolder(app);
  const path = await storeFile(app, holder);
  const use = async () => ({ core: (await core.use()).megabytes, gateway: (await gateway.use()).megabytes });
  const before = await use();
  const readers = await Promise.all(Array.from({ length: STALLED }, () => open(port, path, holder.key)));
  for (const { response } of readers) response.pause();
  await sleep(STALLED_MS);
  const stalled = await use();
  await sleep(CUT_MS - STALLED_MS);
  const after = await use();
  // What lies in the buffers of the machine comes first, then the end.
  for (const { response } of readers) response.resume();
  await Promise.all(readers.map(({ closed }) => closed));
  const cut = readers.filter(({ response }) => !response.complete).length;
  console.log(`\n${STALLED} readers of a file of ${FILE_BYTES / 2 ** 20} MiB who take nothing`);
  printTable(
    ["resident MB", "core", "gateway"],
    Object.entries({
      before,
      [`after ${STALLED_MS / 1000} s`]: stalled,
      [`after ${CUT_MS / 1000} s`]: after,
    }).map(([title, used]) => [title, used.core.toFixed(0), used.gateway.toFixed(0)]),
  );
  console.log(`cut off: ${cut} of ${STALLED}`);
}

type Holder = { accountId: string; key: string; caller: ReturnType<typeof callerOf> };

const callerOf = (key: string) => ({ kind: "key", keySha256: hashApiKey(key), source: "api" }) as const;

async function createHolder(app: App): Promise<Holder> {
  const email = `${app.newId("bench").toLowerCase()}@example.com`;
  const { _id: accountId } = await createAccount(app, { email, name: "Bench", plan: "studio" });
  await grantCredits(app, { accountId, amount: 1_000, kind: "grant", memo: null, source: "system" });
  const { secret: key } = await createKey(app, accountId, { name: "bench", scope: "write", expiresAt: null });
  return { accountId, key, caller: callerOf(key) };
}

/** A job of this holder's with one large file; the path of the file. */
async function storeFile(app: App, { accountId, caller }: Holder): Promise<string> {
  const [accepted] = await acceptJobs(app, [benchRequest(caller)]);
  if (accepted?.status !== "fulfilled") throw new Error("the job was refused");
  const jobId = accepted.value.job._id;
  const claims = await claimJobs(app, { worker: "bench", limit: JOBS * 2, leaseMs: 60_000 });
  const claim = claims.find(({ job }) => job._id === jobId);
  if (!claim) throw new Error("the job was not claimed");
  const file = { bytes: new Uint8Array(FILE_BYTES), mimeType: "video/mp4" };
  const { outputs } = await saveOutputs(app, { accountId, jobId }, [file], new AbortController().signal);
  await settleJobs(app, [{ claim, outcome: { kind: "completed", outputs }, files: [] }]);
  return `/api/jobs/${jobId}/outputs/${outputs[0]?.output_id}`;
}

type Opened = { sent: ClientRequest; response: IncomingMessage; closed: Promise<void> };

/** Resolves with the head of the answer, whose body nobody has read yet. */
function open(port: number, path: string, key: string): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const sent = request({
      host: "127.0.0.1",
      port,
      path,
      agent: false,
      headers: { authorization: `Bearer ${key}` },
    });
    const closed = new Promise<void>((end) => sent.once("close", () => end()));
    sent.once("response", (response) => {
      response.on("error", () => {});
      resolve({ sent, response, closed });
    });
    sent.on("error", reject);
    sent.end();
  });
}
