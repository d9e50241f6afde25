// Readers of a large file who take nothing: what core and gateway hold meanwhile, and whether the readers are cut off.
import { setTimeout as sleep } from "node:timers/promises";
import type { JobsApp } from "../core/studio/jobs/intake.ts";
import { acceptJobs } from "../core/studio/jobs/accept.ts";
import { claimJobs } from "../core/studio/runs/claim.ts";
import { settleJobs } from "../core/studio/runs/settle.ts";
import { saveOutputs } from "../core/kernel/outputs/save.ts";
import { printTable } from "./support/stats.ts";
import {
  createHolder,
  type Holder,
  type Opened,
  openUnread,
  startStreamWorld,
  type StreamWorld,
} from "./support/stream-world.ts";
import { benchRequest, printMachine } from "./support/world.ts";

const STALLED = 80;
const FILE_BYTES = 120 * 2 ** 20;
const LOOK_MS = 500;
const STALLED_MS = 15_000;
/** By now they have been cut off. */
const CUT_MS = 45_000;
/** More than the buffers of two sockets hold: who gets this much after the cut was not cut off. */
const BUFFERS_BYTES = 24 * 2 ** 20;
const DRAIN_BOUND_MS = 60_000;
/** The job must not be run by the worker of core, which does not have its provider. */
const CLAIM_MS = 60_000;

export async function run(): Promise<void> {
  printMachine();
  const world = await startStreamWorld("stalled", { ATELIER_DOWNLOADS_PER_ACCOUNT: String(STALLED) });
  try {
    await measure(world);
  } finally {
    await world.close();
  }
}

type Used = { core: number; gateway: number };

async function measure(world: StreamWorld): Promise<void> {
  const { app, port } = world;
  const holder = await createHolder(app);
  const path = await storeFile(app, holder);
  const before = await use(world);
  const readers: Opened[] = [];
  // One reader reads a little, so that what a first answer costs is not taken for what stalled ones hold.
  for (let i = 0; i < STALLED; i++) readers.push(await openUnread(port, path, holder.key));
  const refused = readers.filter(({ response }) => response.statusCode !== 200).length;
  const most = await mostWithin(world, STALLED_MS);
  const stalled = await use(world);
  await sleep(CUT_MS - STALLED_MS);
  const after = await use(world);
  const cut = (await Promise.all(readers.map(isCut))).filter(Boolean).length;
  console.log(`${STALLED} readers of a file of ${FILE_BYTES / 2 ** 20} MiB who take nothing\n`);
  const rows = {
    before,
    [`most in the first ${STALLED_MS / 1000} s`]: most,
    [`after ${STALLED_MS / 1000} s`]: stalled,
    [`after ${CUT_MS / 1000} s`]: after,
  };
  printTable(
    ["resident MB", "core", "gateway"],
    Object.entries(rows).map(([title, used]) => [title, used.core.toFixed(0), used.gateway.toFixed(0)]),
  );
  console.log(`\nrefused: ${refused}, cut off: ${cut} of ${STALLED}`);
}

async function use({ core, gateway }: StreamWorld): Promise<Used> {
  return { core: (await core.use()).megabytes, gateway: (await gateway.use()).megabytes };
}

async function mostWithin(world: StreamWorld, forMs: number): Promise<Used> {
  const most: Used = { core: 0, gateway: 0 };
  for (const endMs = performance.now() + forMs; performance.now() < endMs; await sleep(LOOK_MS)) {
    const { core, gateway } = await use(world);
    most.core = Math.max(most.core, core);
    most.gateway = Math.max(most.gateway, gateway);
  }
  return most;
}

/** Takes what lies in the buffers of the machine. False for a reader who gets more than that, and then leaves. */
function isCut({ sent, response }: Opened): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let bytes = 0;
  const end = (cut: boolean) => {
    clearTimeout(timer);
    sent.destroy();
    resolve(cut);
  };
  const timer = setTimeout(() => end(false), DRAIN_BOUND_MS);
  response.once("close", () => end(!response.complete));
  response.on("data", (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > BUFFERS_BYTES) end(false);
  });
  if (response.destroyed) end(!response.complete);
  return promise;
}

/** A job of this holder's with one large file; the path of the file. */
async function storeFile(app: JobsApp, { accountId, caller }: Holder): Promise<string> {
  const [accepted] = await acceptJobs(app, [benchRequest(caller)]);
  if (accepted?.status !== "fulfilled") throw new Error("the job was refused");
  const jobId = accepted.value.job._id;
  const [claim] = await claimJobs(app, { worker: "bench", limit: 1, leaseMs: CLAIM_MS });
  if (claim?.job._id !== jobId) throw new Error("the job was not claimed");
  const file = {
    bytes: new Uint8Array(FILE_BYTES),
    mimeType: "video/mp4",
    contentCredentials: "off" as const,
  };
  const { outputs } = await saveOutputs(app, { accountId, jobId }, [file], new AbortController().signal);
  await settleJobs(app, [{ claim, outcome: { kind: "completed", outputs }, files: [] }]);
  return `/api/jobs/${jobId}/outputs/${outputs[0]?.output_id}`;
}
